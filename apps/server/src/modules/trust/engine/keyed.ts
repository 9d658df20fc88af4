/** An object with a value for each of the keys, in their order. */
export function keyed<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  // `Object.fromEntries` forgets its keys; they are exactly `keys`.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>
}
