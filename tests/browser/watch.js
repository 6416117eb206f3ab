/** Records what a visitor cannot see: events of the component, layout shifts, violations of the page's policy. */
{
  const seen = { events: [], breaches: [], jumps };
  window.seen = seen;

  const brief = (_key, value) =>
    value instanceof Error ? { name: value.name, code: value.code, status: value.status } : value;
  for (const type of [
    "bundle:ready",
    "bundle:change",
    "bundle:addtocart",
    "bundle:error",
    "bundle:moved",
    "bundle:update",
  ]) {
    window.addEventListener(type, ({ detail }) =>
      seen.events.push({ type, detail: JSON.parse(JSON.stringify(detail, brief)) }),
    );
  }

  window.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    seen.breaches.push(`${violatedDirective} ${blockedURI}`);
  });

  let score = 0;
  const count = (entries) => {
    for (const { hadRecentInput, value } of entries) score += hadRecentInput ? 0 : value;
  };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });

  function jumps() {
    count(observer.takeRecords());
    return score;
  }
}
