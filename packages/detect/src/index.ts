export { type Cascade, type CascadeDecision, type CascadeOptions, cascade } from './adapters/cascade.ts'
export { type Classifier, ClassifierError } from './adapters/classifier.ts'
export { createScoreTable, type ScorePoint, type ScoreTable } from './adapters/score-table.ts'
export {
  byPosition,
  type Channel,
  type Detector as DetectorName,
  disjoint,
  type Finding,
} from './base/finding.ts'
export { createDetector, type Detector, type DetectorOptions, type Message, type PromptOptions } from './detector.ts'
export type { Contribution, Explanation } from './injection/explain.ts'
export { ModelError } from './injection/model/asset.ts'
export { type PolicyName, policies, type Thresholds, type Verdict } from './injection/policy.ts'
export { type Family, families, type Rule } from './injection/rules/rule.ts'
export type { Sanitized, SanitizeOptions } from './injection/sanitize.ts'
export type { ScanResult } from './injection/scanner.ts'
export { type SpotlightOptions, type Spotlit, spotlight } from './injection/spotlight.ts'
export { createOutputInspector, inspectOutput, type OutputOptions, type OutputResult } from './output/inspect-output.ts'
export { type Canary, type CanaryStyle, createCanary } from './output/leak/canary.ts'
export { neutralizeLinks } from './output/links/neutralize.ts'
export { createOutputStream, type OutputStream, type OutputStreamOptions } from './output/output-stream.ts'
export { type CustomerPattern, compilePattern } from './patterns/customer-pattern.ts'
export { type ValueCheck, valueChecks, valueHolds } from './pii/base/value-checks.ts'
export { findPii, type PiiOptions, type PiiResult, searchPii, uninspected } from './pii/find-pii.ts'
export { namesPlaceholder } from './redaction/named-placeholder.ts'
export type { Brackets } from './redaction/placeholder.ts'
export { type Redacted, type RedactOptions, redact } from './redaction/redact.ts'
export {
  createRestoreStream,
  type RestoreReport,
  type RestoreStream,
  restore,
  restoreJson,
  restoreReport,
} from './redaction/restore.ts'
export { createVault, type Vault, type VaultEntry } from './redaction/vault.ts'
export { findSecrets, type SecretOptions } from './secrets/find-secrets.ts'
export {
  createInspectStream,
  type InspectAction,
  type InspectedChunk,
  type InspectOptions,
  type InspectStream,
} from './stream/inspect.ts'
export { createRedactStream, type RedactStream, type RedactStreamOptions } from './stream/redact-stream.ts'
export { base62Checksum, crc32 } from './text/bytes/crc32.ts'
export { type NormalizedText, normalize } from './text/normalize/normalize.ts'
