import type { Caller } from '../call/types.ts'
import type { Members } from '../wire/json-rpc.ts'
import type { ProxyServices } from './services.ts'

/** A server that says that its tools changed is checked at once: a job for it waits at most. */
export function noteListChange({ kernel }: ProxyServices, { tenantId, server }: Caller, { method }: Members): void {
  if (method !== 'notifications/tools/list_changed') return
  const { id } = server.row
  const asked = kernel.db.tenant({ tenantId }, (tx) =>
    tx.enqueue({ kind: 'aegis.mcp_server.check', payload: { server_id: id }, key: id }),
  )
  kernel.background('asking for a check of an MCP server', asked)
}
