import type { Channel } from '../src/base/finding.ts'

/** Channel that a row of this kind would have come through: planted instructions and documents are not typed by users. */
export const channelOfKind = (kind: string): Channel =>
  kind.startsWith('indirect') || kind.includes('document') ? 'document' : 'user'
