/** Events at whose last one the shipped rules fire for the first time, with all members that their schemas ask for. */
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

interface Sample {
  readonly channel: string
  readonly second: number
  readonly data: Readonly<Record<string, unknown>>
}

type Data = Readonly<Record<string, unknown>>

const at = (channel: string, data: Data, second = 0): Sample => ({ channel, second, data })

const many = (count: number, make: (n: number) => Sample): readonly Sample[] =>
  Array.from({ length: count }, (_, n) => make(n))

const security = {
  ...{ injection_score: null, pii_detected: false, policy_violations: [], pipeline_latency_ms: 1 },
}

const about = {
  ...{ request_id: 'req_1', log_id: id(1), trace_id: null, user_id: id(2), key_id: null, agent_id: null },
  ...{ dialect: 'parapet', operation: 'chat', route: null, provider: 'demo', model: 'echo-1' },
  ...{ security, policies: [], offline: false, audit_id: id(3) },
}

export const blocked = (over: Data = {}, second = 0): Sample =>
  at(
    'gateway.request.blocked',
    {
      ...about,
      blocked_by: { step: 'injection', n: 6, error_code: 'GW-003' },
      ...{ patterns: [], entities: {}, provenance: 'user', prompt_sha256: 'a'.repeat(64), monitor: false },
      ...over,
    },
    second,
  )

const completed = (over: Data = {}, second = 0): Sample =>
  at(
    'gateway.request.completed',
    {
      ...about,
      ...{ status: 'completed', decision: 'allowed', error_code: null, cost: '0.1', currency: 'USD' },
      ...{ cost_status: 'priced', cache: 'miss', attempts: 1, fail_open: [] },
      timings: { pipeline_ms: 1, upstream_ms: 1, ttft_ms: null, total_ms: 2 },
      response_id: null,
      usage: { input_tokens: 1, cached_tokens: 0, output_tokens: 1, total_tokens: 2, usage_source: 'upstream' },
      ...over,
    },
    second,
  )

const leak = { blocked_by: { step: 'output', n: 12, error_code: 'GW-006' }, provenance: 'output' }
const killSwitch = {
  ...{ kill_switch_id: id(9), scope: 'model', value: 'echo-1', level: 'hard', reason: 'a sample', by: id(2) },
  source: 'gateway',
  propagation: { nodes_total: 1, nodes_acked: 1, p50_ms: 1, max_ms: 1, inflight_aborted: 0 },
}
const activated = (scope: string, second = 0): Sample =>
  at(
    'aegis.kill_switch.activated',
    { ...killSwitch, scope, activated_by: id(2), activated_at: '2026-01-01T00:00:00.000Z', expires_at: null },
    second,
  )
const key = { api_key_id: id(5), owner_id: id(2) }
const budget = (level: number, second: number): Sample =>
  at(
    'gateway.budget.warned',
    {
      ...{ budget_id: id(6), scope: [{ kind: 'tenant' }], level, spent: '9', amount: '10' },
      ...{ currency: 'USD', resets_at: null },
    },
    second,
  )
const policy = {
  ...{ policy_id: id(7), version: 2, previous_version: 1, sha256: 'a'.repeat(64), by: id(2), note: null },
}

const guardrail = (over: Data): Sample =>
  at('aegis.guardrail.triggered', {
    ...{ guardrail_id: id(20), guardrail_name: 'Sample', version: 1, kind: 'tool', action: 'deny', enforced: true },
    ...{ count: 1, agent_id: id(21), user_id: null, session_id: null, request_id: null, server: 'bank', tool: 'wire' },
    ...{ failed: false, tags: [] },
    ...over,
  })

const denied = (n: number): Sample =>
  at(
    'aegis.approval.decided',
    {
      ...{ approval_id: id(30 + n), agent_id: id(21), user_id: null, session_id: null, server: 'bank', tool: 'wire' },
      ...{ guardrail_id: id(20), risk_tier: 2, decision: 'denied', by: id(2), waited_seconds: 5 },
    },
    n,
  )

export const samples: Readonly<Record<string, readonly Sample[]>> = {
  guardrail_blocked: [guardrail({ enforced: false }), guardrail({})],
  guardrail_quarantined: [guardrail({}), guardrail({ action: 'quarantine_agent' })],
  approval_denied_repeatedly: many(3, denied),
  injection_attempt: [blocked()],
  injection_repeated: many(3, (n) => blocked({}, n)),
  injection_indirect: [blocked({ provenance: 'tool_result' })],
  injection_campaign: many(3, (n) => blocked({ user_id: id(20 + n) }, n)),
  attack_only_watched: [blocked({ monitor: true })],
  leak_blocked: [blocked(leak)],
  leak_after_untrusted: [blocked({ provenance: 'tool_result' }), blocked(leak, 60)],
  agent_blocked_repeatedly: many(10, (n) => blocked({ agent_id: id(8) }, n)),
  blocked_unusually_often: [...many(11, (n) => blocked({}, n * 3_600)), ...many(18, (n) => blocked({}, 39_600 + n))],
  tokens_excessive: many(3, (n) =>
    completed(
      {
        response_id: null,
        usage: { input_tokens: 1, cached_tokens: 0, output_tokens: 1, total_tokens: 700_000, usage_source: 'upstream' },
      },
      n,
    ),
  ),
  agent_new_provider: [completed({ agent_id: id(8) }), completed({ agent_id: id(8), provider: 'other' }, 5)],
  check_failed_open: [completed({ fail_open: ['injection'] })],
  budget_exceeded: [at('gateway.budget.exceeded', budget(100, 0).data)],
  budget_burst: [budget(80, 0), budget(90, 60)],
  policy_rolled_back: [at('gateway.policy.rolled_back', policy)],
  policy_changed_often: many(5, (n) => at('gateway.policy.published', policy, n)),
  protected_values_revealed: many(2, (n) =>
    at(
      'gateway.vault.revealed',
      {
        ...{ request_id: 'req_1', log_id: id(1), entity_types: ['email'], count: 60, by: id(2) },
        ...{ approved_by: null, reason: 'a sample' },
      },
      n,
    ),
  ),
  calls_exported: [
    at('gateway.export.downloaded', {
      ...{ export_id: id(4), format: 'jsonl', include_payload: true, row_count: 1, sha256: 'a'.repeat(64), by: id(2) },
    }),
  ],
  provider_degraded: [
    at('gateway.provider.degraded', {
      ...{ provider_id: id(4), state: 'down', reason: null, error_rate: 1, since: '2026-01-01T00:00:00.000Z' },
    }),
  ],
  key_new_network: [at('iam.api_key.used_from_new_network', { ...key, network: '192.0.2.0/24' })],
  new_key_new_network: [
    at('iam.api_key.created', { ...key, actor_id: id(2) }),
    at('iam.api_key.used_from_new_network', { ...key, network: '192.0.2.0/24' }, 600),
  ],
  keys_created_in_bulk: many(10, (n) => at('iam.api_key.created', { ...key, actor_id: id(2) }, n)),
  key_after_credential_change: [
    at('iam.credential.changed', { user_id: id(2), actor_id: null, credential: 'password', change: 'updated' }),
    at('iam.api_key.created', { ...key, actor_id: id(2) }, 60),
  ],
  password_spraying: [at('iam.login.spraying_detected', { accounts: 50, attempts: 99, sign_ins: 1, minutes: 10 })],
  sign_in_failures: many(2, (n) => at('iam.login.failed', { user_id: id(2), attempts: 10 }, n * 60)),
  sign_in_after_failures: [
    at('iam.login.failed', { user_id: id(2), attempts: 6 }),
    at('iam.session.created', { session_id: id(4), user_id: id(2) }, 90),
  ],
  refresh_token_reused: [at('iam.session.refresh_reuse_detected', { session_id: id(4), user_id: id(2) })],
  break_glass_used: [at('iam.break_glass.used', { user_id: id(2), connection_id: id(4) })],
  sso_connection_changed: [
    at('iam.sso_connection.changed', {
      ...{ connection_id: id(4), change: 'disabled', actor_id: id(2), administrator_ids: [] },
    }),
  ],
  roles_changed_in_bulk: many(10, (n) =>
    at('iam.user.role_changed', { user_id: id(20 + n), actor_id: id(2), before: [], after: [id(4)] }, n),
  ),
  accounts_locked: many(5, (n) => at('iam.user.locked', { user_id: id(20 + n), actor_id: null, reason: null }, n)),
  provisioning_refused: [
    at('iam.scim.sync_failed', { api_key_id: id(5), sso_connection_id: null, failures: 50, error_codes: ['IAM-001'] }),
  ],
  kill_switch_activated: [activated('model')],
  kill_switch_of_tenant: [activated('tenant')],
  kill_switch_ended_soon: [
    activated('model'),
    at('aegis.kill_switch.deactivated', { ...killSwitch, deactivated_by: id(2), active_seconds: 60 }, 60),
  ],
  audit_chain_broken: [
    at('admin.audit.tamper_detected', { scope: 'tenant', reason: 'hash', first_bad_seq: 3, checkpoint_used: null }),
  ],
  backup_failed: [at('admin.backup.missed', { every_hours: 24, last_at: null })],
}
