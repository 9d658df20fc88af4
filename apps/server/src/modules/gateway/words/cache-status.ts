/** Cache status of a call. `semantic`: a nearly identical question was answered before. */
export const cacheStatuses = ['hit', 'semantic', 'miss', 'joined', 'off'] as const
export type CacheStatus = (typeof cacheStatuses)[number]

/** No model was asked for the answer. */
export function isFromCache(status: CacheStatus): boolean {
  return status === 'hit' || status === 'semantic' || status === 'joined'
}
