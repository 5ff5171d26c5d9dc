package dev.gitopsinterlock.tools.page;

/** How well text stands out from what is behind it. */
final class Contrast {

    /** The first text of a page whose contrast is below 4.5, with the figure; empty where all can be read. */
    static final String LOWEST = """
            (() => {
              const parts = colour => colour.match(/[\\d.]+/g).map(Number);
              const shade = value => { const x = value / 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
              const light = ([r, g, b]) => 0.2126 * shade(r) + 0.7152 * shade(g) + 0.0722 * shade(b);
              const behind = element => {
                for (let each = element; each; each = each.parentElement) {
                  const colour = parts(getComputedStyle(each).backgroundColor);
                  if (colour.length === 3 || colour[3] > 0) { return colour; }
                }
                return [255, 255, 255];
              };
              for (const element of document.body.querySelectorAll('*')) {
                const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
                if (!hasText || element.closest('.unseen')) { continue; }
                const style = getComputedStyle(element);
                const lights = [light(parts(element.closest('svg') ? style.fill : style.color)), light(behind(element))];
                const contrast = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
                if (contrast < 4.5) { return element.textContent.trim() + ': ' + contrast.toFixed(2); }
              }
              return '';
            })()
            """;

    private Contrast() {}
}
