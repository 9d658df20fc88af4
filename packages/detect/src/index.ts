export { byPosition, type Channel, type Detector, disjoint, type Finding } from './finding.ts'
export { type ScanOptions, type ScanResult, scanPrompt } from './injection/scan-prompt.ts'
export { findPii, type PiiOptions } from './pii/find-pii.ts'
export type { Brackets } from './redaction/placeholder.ts'
export { redact } from './redaction/redact.ts'
export { createRestoreStream, type RestoreStream, restore, restoreJson } from './redaction/restore.ts'
export { createVault, type Vault, type VaultEntry } from './redaction/vault.ts'
export { findSecrets } from './secrets/find-secrets.ts'
export {
  createInspectStream,
  type InspectAction,
  type InspectedChunk,
  type InspectOptions,
  type InspectStream,
} from './stream/inspect.ts'
export { base62Checksum, crc32 } from './text/crc32.ts'
export { type NormalizedText, normalize } from './text/normalize.ts'
