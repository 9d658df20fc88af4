import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('TWIN', {
  kindConflict: [
    1,
    409,
    'External Id of Another Kind',
    (p: { key: string; kind: string }) =>
      `The external id ${p.key} belongs to an asset of the kind ${p.kind}. Use that kind or another external id.`,
  ],
  assetInvalid: [2, 422, 'Asset or Relation Invalid', (p: Said) => p.what],
  illegalMove: [
    4,
    409,
    'Illegal Move',
    (p: { from: string; to: string }) =>
      `An asset does not move from ${p.from} to ${p.to}. People retire an asset, or set a retired one to active.`,
  ],
  contentInvalid: [5, 422, 'Import Content Invalid', (p: Said) => p.what],
  unknownReference: [6, 422, 'Unknown Reference', (p: Said) => `The body names a ${p.what} that does not exist.`],
  graphTooLarge: [
    7,
    422,
    'Graph Too Large',
    (p: { nodes: number; limit: number }) =>
      `The graph has ${p.nodes} nodes, and this answer holds ${p.limit}. Name a root and hops, or fewer kinds.`,
  ],
  nothingToAnalyze: [8, 422, 'Nothing to Analyze', (p: Said) => p.what],
  alreadyFinished: [12, 409, 'Already Finished', (p: { status: string }) => `This is ${p.status} already.`],
  limitExceeded: [9, 422, 'Outside the Limits', (p: Said) => p.what],
})
