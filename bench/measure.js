// measure: one workload in a process of its own, so that nothing is warm but what the workload warmed itself.
// argv: module, function, arguments as JSON. Prints one line of JSON.

const [, , module, name, json] = process.argv;
const { warm, ...options } = JSON.parse(json);
const workloads = await import(new URL(module, import.meta.url).href);
// Runs first that do not count, for the compiler's sake, on every side alike: what is compared is the steady state.
const WARM_UPS = 4;
for (let run = 0; warm !== undefined && run < WARM_UPS; run += 1)
  await workloads[name]({ ...options, ...warm });
const result = await workloads[name](options);
console.log(JSON.stringify({ ...result, rss: process.resourceUsage().maxRSS * 1024 }));
