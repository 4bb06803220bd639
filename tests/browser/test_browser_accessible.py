"""An accessibility audit (axe-core) of every page and every tab, light and dark."""

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

TABS = ("Points", "Certificate", "Code")


def serious(page) -> list[str]:
    violations = axe.Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in violations if v["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_on_any_page_or_tab(app, chromium, scheme) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    settled = "[data-testid=stApp][data-test-script-state=notRunning]"
    page.goto(app.url)
    page.locator("g.pt").first.wait_for()
    page.wait_for_selector(settled)
    assert serious(page) == []
    for tab in TABS:
        page.get_by_role("radio", name=tab).or_(page.get_by_role("button", name=tab, exact=True)).first.click()
        {
            "Points": page.get_by_test_id("stDataFrame"),
            "Certificate": page.get_by_text("complementarity"),
            "Code": page.get_by_test_id("stCode"),
        }[tab].first.wait_for()
        page.wait_for_selector(settled)
        assert serious(page) == [], tab
    page.goto(app.url + "/guide")
    page.get_by_text("Conventions").wait_for()
    assert serious(page) == []
    context.close()
