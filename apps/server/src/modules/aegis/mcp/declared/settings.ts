import Type from 'typebox'
import { strictObject } from '../../../../kernel/schema/types.ts'
import { defineSetting } from '../../../../kernel/settings/define.ts'

export const mcpSettings = defineSetting({
  key: 'aegis.mcp',
  schema: strictObject({
    suspend_on_critical: Type.Boolean({
      description: 'Suspend an MCP server when a scan of its definitions finds something critical',
    }),
    legacy_sessions: Type.Boolean({
      description: 'Serve clients of the revisions before 2026-07-28, which open sessions',
    }),
  }),
  default: { suspend_on_critical: false, legacy_sessions: true },
  scope: 'tenant',
  description: 'The MCP firewall',
})

export const callRetention = defineSetting({
  key: 'aegis.mcp_call_retention_days',
  schema: Type.Integer({ minimum: 7, maximum: 730 }),
  default: 30,
  scope: 'both',
  description: 'Days that the records of messages to MCP servers are kept.',
})
