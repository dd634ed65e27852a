import { useLayoutEffect, useRef } from 'preact/hooks';

const controls = ':is(a, button, input, select, textarea):not(dialog *)';

/** Changes so soon after a press are what the person asked for (ms). */
const pressMs = 1000;

/**
 * Keeps controls under the finger when content that arrives late comes or goes above them: the page scrolls along. Browsers
 * do so by themselves only once a page is scrolled, and Safari never does.
 */
export function useScrollAnchor(screen: string) {
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = main.current;
    if (!element || !self.ResizeObserver) return;
    let tops = new Map<Element, number>();
    let margin = 0;
    let pressedAt = Number.NEGATIVE_INFINITY;
    const topOf = (control: Element) => control.getBoundingClientRect().top + scrollY;
    const isVisible = (top: number) => top >= scrollY && top <= scrollY + innerHeight;
    const measure = () => {
      tops = new Map([...element.querySelectorAll(controls)].map((control) => [control, topOf(control)]));
    };
    const movedBy = () => {
      const visible = [...tops].filter(([control, top]) => control.isConnected && isVisible(top));
      const [control, top = 0] =
        visible.find(([candidate]) => candidate.matches(':hover')) ?? visible[0] ?? [];
      return control && performance.now() - pressedAt > pressMs ? topOf(control) - top : 0;
    };
    const anchor = () => {
      const moved = movedBy();
      if (Math.abs(moved) >= 1) {
        const wanted = scrollY - margin + moved;
        margin = Math.max(0, -wanted);
        element.style.marginTop = `${margin}px`;
        document.body.style.minHeight = `${Math.max(0, wanted) + innerHeight}px`;
        scrollTo(0, wanted);
      }
      measure();
    };
    const notePress = () => {
      pressedAt = performance.now();
    };
    const mutations = new MutationObserver(anchor);
    const sizes = new ResizeObserver(measure);
    measure();
    mutations.observe(element, { childList: true, characterData: true, subtree: true });
    sizes.observe(element);
    element.addEventListener('click', notePress);
    return () => {
      element.removeEventListener('click', notePress);
      mutations.disconnect();
      sizes.disconnect();
      element.style.marginTop = document.body.style.minHeight = '';
    };
  }, [screen]);
  return main;
}
