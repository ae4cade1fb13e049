/** "Hello, World" → "hello-world" */
export function slug(title) {
  return title.toLowerCase().replace(' ', '-');
}
