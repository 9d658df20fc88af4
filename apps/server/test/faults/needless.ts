/**
 * Answers of these routes while the database is away or fails: before it is asked, without asking it, or with an error
 * of their own. All others answer 503 or 500.
 */
export const needless: Readonly<Record<string, string>> = {
  'GET /api/v1/iam/permissions': '200',
  'GET /.well-known/authzen-configuration': '200',
  'GET /api/v1/auth/sso/discover': '400 API-001',
  'GET /api/v1/auth/sso/{connection_id}/start': '400 API-001',
  'GET /api/v1/iam/tenants/{tenant_id}/exports/{tenant_export_id}': '404 API-013',
  'GET /api/v1/iam/tenants/{tenant_id}/exports/{tenant_export_id}/content': '404 API-013',
  'POST /api/v1/iam/tenants/{tenant_id}/export': '404 API-013',
  'GET /ofrep/v1/evaluate/changes': '400 API-001',
  // Its callers are agents, and this one is a person.
  'POST /api/v1/aegis/activity': '403 AUTH-004',
  'POST /api/v1/aegis/mcp/{server_slug}': '403 AUTH-004',
  'GET /api/v1/aegis/mcp/{server_slug}': '403 AUTH-004',
  'DELETE /api/v1/aegis/mcp/{server_slug}': '403 AUTH-004',
  'GET /.well-known/oauth-protected-resource/api/v1/aegis/mcp/{server_slug}': '200',
  'POST /api/v1/auth/mfa/totp': '401 AUTH-001',
  'POST /api/v1/auth/mfa/totp/verify': '401 AUTH-001',
  'POST /api/v1/auth/passkeys': '401 AUTH-001',
  'POST /api/v1/auth/passkeys/registration-options': '401 AUTH-001',
  'POST /api/v1/auth/passkeys/authentication-options': '200',
  'POST /api/v1/auth/password/forgot': '200',
  'POST /api/v1/auth/sso/exchange': '401 AUTH-002',
  'POST /api/v1/auth/refresh': '401 AUTH-002',
  'POST /api/v1/gateway/chat/completions': '503 GW-020',
  'POST /api/v1/gateway/openai/v1/chat/completions': '503 GW-020',
  'POST /api/v1/gateway/openai/v1/responses': '503 GW-020',
  'POST /api/v1/gateway/openai/v1/embeddings': '503 GW-020',
  'POST /api/v1/gateway/anthropic/v1/messages': '503 GW-020',
  // An id of another form is none of ours.
  'GET /api/v1/gateway/openai/v1/responses/{response_id}': '404 API-013',
}
