// layer-name: what people call the layer that a definition comes from. Of wrangler's two folders the path tells which.

import type { Layer } from '../model/workflow.ts';

export function layerName(layer: Layer, path: string): string {
  if (layer === 'builtin') return 'built in';
  const isDeeper = layer === 'wrangler' && /(?:^|[\\/])\.wrangler[\\/]orchestration[\\/]/.test(path);
  return isDeeper ? 'wrangler/orchestration' : layer;
}
