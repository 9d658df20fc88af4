/** Personal data and secrets in an answer that do not come from the conversation. */
import type { Finding } from '../base/finding.ts'
import { findPii } from '../pii/find-pii.ts'
import { findSecrets } from '../secrets/find-secrets.ts'

/** Findings whose values `isKnown` does not tell. */
export const findForeignValues = (text: string, isKnown: (value: string) => boolean): Finding[] =>
  [...findPii(text), ...findSecrets(text)].filter(({ start, end }) => !isKnown(text.slice(start, end)))
