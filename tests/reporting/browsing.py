"""What the tests do with a browser."""

import json

from selenium.webdriver.common.by import By

WIDTHS = (400, 1600)


def open_page(browser, path):
    """A page, freshly opened at 1600 pixels in the light theme."""
    resize(browser, 1600)
    # Otherwise the driver clicks while the page still scrolls smoothly.
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [still]})
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(path.as_uri())
    browser.execute_script("localStorage.clear(); delete document.documentElement.dataset.theme;")
    return browser


def resize(browser, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def some(tab, selector):
    return tab.find_elements(By.CSS_SELECTOR, selector)


def one(tab, selector):
    return tab.find_element(By.CSS_SELECTOR, selector)


def asked_for(tab):
    """Every address that the page has asked for, but for what it carries itself."""
    found = set()
    for entry in tab.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.add(message["params"]["request"]["url"].split("#")[0])
    return {url for url in found if not url.startswith(("data:", "blob:"))}


def overflow(tab, width, theme="light"):
    """By how much the page is wider than the window, with everything unfolded."""
    resize(tab, width)
    tab.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    for part in some(tab, "main details"):
        tab.execute_script("arguments[0].open = true", part)
    return max(0, tab.execute_script("return document.documentElement.scrollWidth") - width)
