/** The tier an answer was served in, as its provider says; `auto` only repeats the question. Pure. */
export function servedTier(tier: unknown): { readonly serviceTier?: string } {
  return typeof tier === 'string' && tier !== '' && tier !== 'auto' ? { serviceTier: tier.slice(0, 64) } : {}
}
