import { canonicalJson } from '../../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import type { GroupValue } from './schema.ts'

export type Group = Readonly<Record<string, GroupValue>>

/** Hits with one fingerprint are one alert: SHA-256 of the rule's id and the canonical values (RFC 8785) of its group. */
export const fingerprintOf = (ruleId: string, group: Group): string => sha256(`${ruleId}\n${canonicalJson(group)}`)
