import type { SamplerName } from '../../config/otel.ts'
import type { Trace } from '../trace.ts'

export type Sampler = (parent: Trace | null, traceId: string) => boolean

/** @param share of the traces that begin here, for the ratio samplers */
export function createSampler(name: SamplerName, share: number): Sampler {
  const root = rootSampler(name, share)
  if (!name.startsWith('parentbased_')) return (_parent, traceId) => root(traceId)
  return (parent, traceId) => (parent === null ? root(traceId) : parent.sampled)
}

function rootSampler(name: SamplerName, share: number): (traceId: string) => boolean {
  if (name.endsWith('always_on')) return () => true
  if (name.endsWith('always_off')) return () => false
  // The lowest 56 bits are what the standard calls random; a number holds 52 of them exactly, which is fine enough.
  const threshold = (1 - share) * 2 ** 52
  return (traceId) => Number.parseInt(traceId.slice(-14, -1), 16) >= threshold
}
