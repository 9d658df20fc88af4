/** An MCP server as it is registered, stored and shown. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp } from '../../../../kernel/schema/types.ts'
import { Finding } from './finding-schema.ts'
import { authTypes, defaultActions, eras, serverStatuses, transports, trustLevels } from './words.ts'

const opt = Type.Optional
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
const Count = Type.Integer({ minimum: 0 })

export const ServerSlug = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', maxLength: 40 })
const Name = Type.String({ minLength: 1, maxLength: 120 })
const Url = Type.String({ minLength: 8, maxLength: 2048, pattern: '^https?://' })
const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), {
  maxItems: 20,
})

/** The upstream credential, without the secret. */
const AuthFacts = strictObject({
  type: oneOf(...authTypes),
  header: nullable(Type.String({ maxLength: 64, description: 'Of `header`: its name' })),
  token_url: nullable(Type.String({ maxLength: 2048, description: 'Of `oauth_client`: the token endpoint' })),
  client_id: nullable(Type.String({ maxLength: 255 })),
  scopes: Scopes,
  audience: nullable(Type.String({ maxLength: 2048, description: 'The `resource` asked for (RFC 8707)' })),
})
export type AuthFacts = Static<typeof AuthFacts>

const AuthInput = strictObject({
  type: oneOf(...authTypes),
  header: opt(Type.String({ minLength: 1, maxLength: 64, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" })),
  secret: opt(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      pattern: '^[\\x20-\\x7e]+$',
      description: 'The value of the header, or the client secret; stored sealed and never shown',
    }),
  ),
  token_url: opt(Url),
  client_id: opt(Type.String({ minLength: 1, maxLength: 255 })),
  scopes: opt(Scopes),
  audience: opt(Url),
})
export type AuthInput = Static<typeof AuthInput>

const Timeouts = strictObject({
  connect_ms: Type.Integer({ minimum: 100, maximum: 10_000 }),
  call_ms: Type.Integer({ minimum: 100, maximum: 600_000 }),
})
export const defaultTimeouts: Static<typeof Timeouts> = { connect_ms: 5_000, call_ms: 120_000 }

const ServerInfo = strictObject({
  name: Type.String({ maxLength: 256 }),
  version: Type.String({ maxLength: 128 }),
  title: nullable(Type.String({ maxLength: 256 })),
})

/** Digests of definitions by their name, or by the URI of a template. */
const ListPins = Type.Record(Type.String({ maxLength: 2048 }), Hash, { maxProperties: 1000 })
export type ListPins = Static<typeof ListPins>

/** Digests of the parts of the server that are not its tools; `candidate` is what the last check saw. */
const ServerPins = strictObject({
  instructions: nullable(Hash),
  server_info: nullable(Hash),
  candidate_instructions: nullable(Hash),
  candidate_server_info: nullable(Hash),
  prompts: ListPins,
  resource_templates: ListPins,
  candidate_prompts: nullable(ListPins),
  candidate_resource_templates: nullable(ListPins),
})
export type ServerPins = Static<typeof ServerPins>

export const ScanSummary = strictObject({
  at: Timestamp,
  score: Type.Number({ minimum: 0, maximum: 1 }),
  findings: Type.Array(Finding, { maxItems: 100 }),
  changed: Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000 }),
  renamed: Type.Array(strictObject({ from: Type.String({ maxLength: 256 }), to: Type.String({ maxLength: 256 }) }), {
    maxItems: 1000,
  }),
  shadowed: Type.Array(
    strictObject({
      tool: Type.String({ maxLength: 256 }),
      server_slug: Type.String({ maxLength: 40 }),
      other: Type.String({ maxLength: 256 }),
      kind: oneOf('same_name', 'confusable', 'similar', 'mention'),
    }),
    { maxItems: 200 },
  ),
})
export type ScanSummary = Static<typeof ScanSummary>

const described = {
  name: Name,
  trust: oneOf(...trustLevels),
  default_action: oneOf(...defaultActions),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true }),
  rate_limit: nullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Calls of one agent in a minute; null is no limit' }),
  ),
  timeouts: Timeouts,
  recheck_seconds: Type.Integer({ minimum: 30, maximum: 300 }),
}

const stored = {
  ...described,
  slug: ServerSlug,
  transport: oneOf(...transports),
  url: Url,
  internal: Type.Boolean({ description: 'May be in a private network, where the operator allows that network' }),
  auth: AuthFacts,
  era: oneOf(...eras),
  protocol_version: nullable(Type.String({ maxLength: 32 })),
  server_info: nullable(ServerInfo),
  capabilities: nullable(Type.Object({}, { additionalProperties: true })),
  pins: ServerPins,
  last_scan: nullable(ScanSummary),
  checked_at: nullable(Timestamp),
  last_error: nullable(Type.String({ maxLength: 300 })),
  status: oneOf(...serverStatuses),
  status_reason: nullable(Type.String({ maxLength: 500 })),
}

export const ServerRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  secret: nullable(Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM of origin and value' })),
  /** As the last check saw them, and as they were approved. */
  instructions: nullable(Type.String({ maxLength: 65_536 })),
  next_check_at: nullable(Timestamp),
})
export type ServerRow = Static<typeof ServerRow>

const ToolCounts = strictObject({
  total: Count,
  pending: Count,
  approved: Count,
  changed: Count,
  denied: Count,
  removed: Count,
})

const shown = {
  ...stored,
  has_secret: Type.Boolean(),
  tools: ToolCounts,
}
export const McpServer = resource(shown)
export type McpServer = Static<typeof McpServer>
export const ListedServer = listed(McpServer)

const optional = {
  trust: opt(described.trust),
  default_action: opt(described.default_action),
  labels: opt(described.labels),
  rate_limit: opt(described.rate_limit),
  timeouts: opt(
    strictObject({ connect_ms: opt(Timeouts.properties.connect_ms), call_ms: opt(Timeouts.properties.call_ms) }),
  ),
  recheck_seconds: opt(described.recheck_seconds),
  internal: opt(Type.Boolean()),
  auth: opt(AuthInput),
}

/** The form of the MCP registry, as far as a remote server needs it. */
const ServerJson = Type.Object(
  {
    name: Type.String({ minLength: 3, maxLength: 200 }),
    title: opt(Type.String({ maxLength: 120 })),
    remotes: Type.Array(
      Type.Object({ type: Type.String({ maxLength: 64 }), url: Url }, { additionalProperties: true }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  { additionalProperties: true, description: '`server.json` of the MCP registry, in the place of name and url' },
)

export const CreateServer = strictObject({
  ...optional,
  slug: ServerSlug,
  name: opt(Name),
  url: opt(Url),
  server_json: opt(ServerJson),
})
export type CreateServer = Static<typeof CreateServer>

export const PatchServer = strictObject({
  ...optional,
  name: opt(Name),
  url: opt(Url),
  status: opt(oneOf('active', 'suspended')),
  status_reason: opt(Type.String({ minLength: 3, maxLength: 500 })),
  approve_server_pins: opt(
    Type.Boolean({
      description: 'Approves the instructions, the identity, the prompts and the templates of resources last seen',
    }),
  ),
})
export type PatchServer = Static<typeof PatchServer>

export const ServerFilter = strictObject({
  status: opt(oneOf(...serverStatuses)),
  trust: opt(described.trust),
  era: opt(stored.era),
  severity: opt(oneOf('critical', 'high', 'medium', 'low')),
  q: opt(Type.String({ minLength: 1, maxLength: 100 })),
})
export type ServerFilter = Static<typeof ServerFilter>

export const DeleteServerQuery = strictObject({
  force: opt(Type.Boolean({ description: 'Removes the server although agents used it in the last 30 minutes' })),
})

export const ScanServer = strictObject({
  definitions: opt(
    Type.Array(Type.Object({}, { additionalProperties: true }), {
      maxItems: 1000,
      description: 'Definitions to scan without asking the server; nothing is stored',
    }),
  ),
})
export type ScanServer = Static<typeof ScanServer>
