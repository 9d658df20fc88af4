import { type Insert, json, sql } from '../../../kernel/db/sql.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestRow } from '../schemas/request.ts'
import type { PayloadRow } from './payload.ts'

/**
 * Parts of one statement, each for any number of rows, so that a flush of 1 and one of 256 are the same prepared
 * statement. Rows travel as JSON text; the text was made storable before. An intent that has waited on the disk since
 * before an update knows nothing of its decision and its tags.
 */
export function insertIntents(rows: readonly IntentRow[]): Insert {
  const insert = sql`
    intent as (insert into gateway_request_intent (tenant_id, id, request_id, trace_id, user_id, key_id, agent_id, session_id, dialect, operation,
      requested_provider, requested_model, route, provider, model, policies, policy_mode, decision, tags, parent_request_id, prompt_sha256, offline, stream, created_at, deadline_at)
    select tenant_id, id, request_id, trace_id, user_id, key_id, agent_id, session_id, dialect, operation,
      requested_provider, requested_model, route, provider, model, policies, policy_mode, coalesce(decision, 'allowed'), coalesce(tags, '{}'), parent_request_id, prompt_sha256, offline, stream, created_at, deadline_at
    from jsonb_to_recordset(${json(rows)}::jsonb) as row (tenant_id uuid, id uuid, request_id text, trace_id text,
      user_id uuid, key_id text, agent_id text, session_id text, dialect text, operation text,
      requested_provider text, requested_model text, route text, provider text, model text, policies jsonb, policy_mode text, decision text, tags text[], parent_request_id uuid, prompt_sha256 text,
      offline boolean, stream boolean, created_at timestamptz(3), deadline_at timestamptz(3)))`
  return { insert }
}

/** An outcome that is there already (the sweeper gave the call up) stays as it is. */
export function insertRequests(rows: readonly RequestRow[]): Insert {
  const insert = sql`
    outcome as (insert into gateway_request (tenant_id, id, request_id, trace_id, user_id, key_id, agent_id, session_id, dialect,
      operation, requested_provider, requested_model, route, provider, model, answered_model, policies, policy_mode, decision, status,
      error_code, blocked_step, usage, cost, security, explanation, unshown, patterns, entities, steps, timings, attempts, cache, fail_open, stream, offline, retention,
      prompt_sha256, recovered, audit_id, tags, parent_request_id, created_at, finished_at)
    select tenant_id, id, request_id, trace_id, user_id, key_id, agent_id, session_id, dialect,
      operation, requested_provider, requested_model, route, provider, model, answered_model, policies, policy_mode, decision, status,
      error_code, blocked_step, usage, cost, security, explanation, unshown, patterns, entities, steps, timings, attempts, cache, fail_open, stream, offline, retention,
      prompt_sha256, recovered, audit_id, tags, parent_request_id, created_at, finished_at
    from jsonb_to_recordset(${json(rows)}::jsonb) as row (tenant_id uuid, id uuid, request_id text, trace_id text,
      user_id uuid, key_id text, agent_id text, session_id text, dialect text, operation text,
      requested_provider text, requested_model text, route text, provider text, model text, answered_model text, policies jsonb, policy_mode text, decision text, status text, error_code text, blocked_step text,
      usage jsonb, cost jsonb, security jsonb, explanation jsonb, unshown jsonb, patterns text[], entities jsonb, steps jsonb, timings jsonb,
      attempts jsonb, cache text, fail_open text[], stream boolean, offline boolean, retention text,
      prompt_sha256 text, recovered boolean, audit_id uuid, tags text[],
      parent_request_id uuid, created_at timestamptz(3), finished_at timestamptz(3))
    on conflict do nothing)`
  return { insert }
}

/** In the commit of their outcomes. */
export function insertPayloads(rows: readonly PayloadRow[]): Insert {
  const travelling = rows.map((row) => ({
    ...row,
    sealed: Buffer.from(row.sealed).toString('base64'),
    original: row.original === null ? null : Buffer.from(row.original).toString('base64'),
  }))
  const insert = sql`
    payload as (insert into gateway_request_payload (tenant_id, id, user_id, sealed, original, words, created_at, expires_at)
    select tenant_id, id, user_id, decode(sealed, 'base64'), decode(original, 'base64'), words::tsvector, created_at, expires_at
    from jsonb_to_recordset(${json(travelling)}::jsonb) as row (tenant_id uuid, id uuid, user_id uuid, sealed text,
      original text, words text, created_at timestamptz(3), expires_at timestamptz(3))
    on conflict do nothing)`
  return { insert }
}
