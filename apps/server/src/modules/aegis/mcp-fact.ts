import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { strictObject } from '../../kernel/schema/types.ts'
import { ServerRow } from './mcp/declared/server-schema.ts'

const Count = Type.Integer({ minimum: 0 })
const mostListed = 500
const { id, slug, name, status, trust, default_action } = ServerRow.properties

const ListedServer = strictObject({
  ...{ id, slug, name, status, trust, default_action },
  ...{ tools: Count, approved: Count, undecided: Count, with_findings: Count },
})

interface Counted {
  readonly total: number
  readonly active: number
  readonly suspended: number
}

export const mcpServersFact = defineFact({
  name: 'aegis.mcp_servers',
  description:
    'Registered MCP servers by state, the newest first, each with its listed tools: approved, undecided, and with a high or critical finding.',
  permission: 'aegis:read',
  schema: strictObject({
    ...{ total: Count, active: Count, suspended: Count },
    servers: Type.Array(ListedServer, { maxItems: mostListed }),
  }),
  read: async ({ tx }) => {
    const counted = await tx.first(sql<Counted>`
      select count(*)::int as total, (count(*) filter (where status = 'active'))::int as active,
        (count(*) filter (where status = 'suspended'))::int as suspended from aegis_mcp_server`)
    const servers = await tx.query(sql<Static<typeof ListedServer>>`
      select server.id, server.slug, server.name, server.status, server.trust, server.default_action,
        coalesce(listed.tools, 0)::int as tools, coalesce(listed.approved, 0)::int as approved,
        coalesce(listed.undecided, 0)::int as undecided, coalesce(listed.with_findings, 0)::int as with_findings
      from aegis_mcp_server server left join (
        select server_id, count(*) as tools, count(*) filter (where status = 'approved') as approved,
          count(*) filter (where status in ('pending', 'changed')) as undecided,
          count(*) filter (where findings @> '[{"severity": "critical"}]' or findings @> '[{"severity": "high"}]')
            as with_findings
        from aegis_mcp_tool where status in ('pending', 'approved', 'changed') group by server_id
      ) listed on listed.server_id = server.id
      order by server.created_at desc, server.id desc limit ${mostListed}`)
    return { ...(counted ?? { total: 0, active: 0, suspended: 0 }), servers: [...servers] }
  },
})
