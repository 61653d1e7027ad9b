// What the page does when something comes into view, and once: a page that nobody scrolls asks for little.

export function whenSeen(elements: Iterable<Element>, then: (element: Element) => void): void {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      then(target);
    }
  });
  for (const one of elements) seen.observe(one);
}
