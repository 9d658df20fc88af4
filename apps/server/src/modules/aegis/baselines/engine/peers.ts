/**
 * The baseline of agents alike, for a bucket in which an agent has too few values of its own. Agents of a group differ in
 * how busy they are, so an hour is compared with the peer that it is most like: only an hour unlike every peer stands
 * out. Pure. Tested in peers.test.ts.
 */
import { robustZ } from '@parapet/quant'
import { type Feature, features, type Scaled } from './features.ts'
import { type Bucket, warmUp } from './state.ts'

/** Agents of the group without which it says nothing. */
export const fewestPeers = 5

/** Values of a seasonal bucket by peer, on the scale of comparison. */
export type PeerBucket = Readonly<Partial<Record<Feature, readonly (readonly number[])[]>>>

/** @param buckets the same bucket of each peer */
export function peerBucket(buckets: readonly Bucket[]): PeerBucket {
  const peers: Partial<Record<Feature, readonly (readonly number[])[]>> = {}
  for (const feature of features) {
    const rings = buckets.map((bucket) => bucket[feature] ?? []).filter(({ length }) => length >= warmUp.valuesInBucket)
    if (rings.length >= fewestPeers) peers[feature] = rings.map((ring) => ring.map(([, y]) => y))
  }
  return peers
}

/** The values of the peer that the hour is most like; empty where no group supplies a baseline. */
export function nearestPeer(peers: PeerBucket, feature: Feature, { y, floor }: Scaled): readonly number[] {
  let nearest: readonly number[] = []
  let least = Number.POSITIVE_INFINITY
  for (const sample of peers[feature] ?? []) {
    const distance = robustZ(y, sample, floor)
    if (distance >= least) continue
    nearest = sample
    least = distance
  }
  return nearest
}
