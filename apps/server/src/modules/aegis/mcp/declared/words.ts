/** Words of the MCP firewall. */
export const transports = ['streamable_http'] as const
export const authTypes = ['none', 'header', 'oauth_client'] as const
export const trustLevels = ['untrusted', 'reviewed', 'verified'] as const
export type TrustLevel = (typeof trustLevels)[number]
export const defaultActions = ['deny', 'allow'] as const
export const eras = ['legacy', 'modern', 'unknown'] as const
export type Era = (typeof eras)[number]
export const serverStatuses = ['pending', 'active', 'suspended'] as const
export type ServerStatus = (typeof serverStatuses)[number]
export const toolStatuses = ['pending', 'approved', 'changed', 'denied', 'removed'] as const
export type ToolStatus = (typeof toolStatuses)[number]
export const toolChanges = ['new', 'changed', 'renamed', 'removed', 'restored'] as const
export type ToolChange = (typeof toolChanges)[number]

/** Properties of a tool that the flow rules read. People set them; suggestions count until they are refused. */
export const toolLabels = [
  'reads_untrusted',
  'reads_private:internal',
  'reads_private:confidential',
  'reads_private:restricted',
  'external_send',
  'code_exec',
  'write_shared',
  'payment',
  'destructive',
] as const
export type ToolLabel = (typeof toolLabels)[number]

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** Families of the scan that the detection package does not have. */
export const ownFamilies = ['concealment', 'secret-request', 'markup-hiding', 'homoglyph-name'] as const

/** The newest revision without sessions, and those with them, newest first. */
export const modernVersion = '2026-07-28'
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
