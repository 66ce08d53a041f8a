import type { Page } from 'playwright-core';

const PLACES = 'button, a, label, legend, summary, h1, h2, h3, th, dt';
/** Headers are as wide as their columns, which is too narrow in some languages. */
const HEADS_OF_COLUMNS = '[role=columnheader]';

/**
 * Finds controls and headings with clipped text, and overlapping controls. Rows scrolled out of view and elements fixed
 * above the page do not count.
 */
const overlapScript = (places: string): string => `(() => {
  const named = (element) => element.tagName.toLowerCase() + ' "' + element.textContent.trim().slice(0, 60) + '"';
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const faults = [];
  for (const element of document.querySelectorAll('${places}')) {
    if (!seen(element) || element.clientWidth === 0 || element.closest('.visually-hidden')) continue;
    const over = element.scrollWidth - element.clientWidth;
    if (over > 1) faults.push(named(element) + ' is cut by ' + over + ' px');
  }
  const isAbove = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(each).position) || each.popover) return true;
    return false;
  };
  const shownPartOf = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let each = element.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflow === 'visible') continue;
      const frame = each.getBoundingClientRect();
      left = Math.max(left, frame.left);
      top = Math.max(top, frame.top);
      right = Math.min(right, frame.right);
      bottom = Math.min(bottom, frame.bottom);
    }
    return { element, left, top, right, bottom };
  };
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')]
    .filter((element) => seen(element) && !isAbove(element))
    .map(shownPartOf)
    .filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1);
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > 1 && height > 1) faults.push(named(one.element) + ' lies over ' + named(other.element));
    }
  }
  return faults;
})()`;

/** Clipped and overlapping elements of a page. @param withHeads includes column headers of long lists */
export const findOverlaps = (page: Page, { withHeads = false } = {}): Promise<string[]> =>
  page.evaluate<string[]>(overlapScript(withHeads ? `${PLACES}, ${HEADS_OF_COLUMNS}` : PLACES));
