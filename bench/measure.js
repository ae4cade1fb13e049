// measure: one workload in a process of its own, so that nothing is warm but what the workload warmed itself.
// argv: module, function, arguments as JSON. Prints one line of JSON.

const [, , module, name, json] = process.argv;
const { warm, ...options } = JSON.parse(json);
const workloads = await import(new URL(module, import.meta.url).href);
// A run first that does not count, for the compiler's sake, on every side alike.
if (warm !== undefined) await workloads[name]({ ...options, ...warm });
const result = await workloads[name](options);
console.log(JSON.stringify({ ...result, rss: process.resourceUsage().maxRSS * 1024 }));
