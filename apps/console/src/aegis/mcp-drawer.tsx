import type { Data } from '../api/client'
import { useAll, useOne } from '../api/hooks'
import { useMay } from '../api/session'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { moment, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { type McpTool, ToolPanel } from './mcp-tool'

type Server = Data<'/aegis/mcp-servers/{mcp_server_id}'>

export function McpDrawer() {
  const id = useId()
  const server = useOne('/aegis/mcp-servers/{mcp_server_id}', { params: { mcp_server_id: id } })
  return (
    <Detail title={server.data?.data.name ?? 'MCP server'} here="/aegis/mcp-servers">
      <Loaded query={server} lines={8}>
        {({ data }) => (
          <>
            <ServerFacts server={data} />
            <Tools server={data} />
          </>
        )}
      </Loaded>
    </Detail>
  )
}

function ServerFacts({ server }: { readonly server: Server }) {
  const { pins, last_scan: scan } = server
  const moved =
    pins.candidate_instructions !== null ||
    pins.candidate_server_info !== null ||
    pins.candidate_prompts !== null ||
    pins.candidate_resource_templates !== null
  return (
    <>
      <div className="row">
        <Badge value={server.status} />
        <span className="soft">{server.status_reason}</span>
        {moved ? <Badge value="flagged" label="Other texts than approved" /> : null}
      </div>
      {server.last_error === null ? null : <p className="notice">{`Last check: ${server.last_error}`}</p>}
      <Panel title="Facts">
        <Facts
          rows={[
            ['Address', <code key="url">{server.url}</code>],
            ['Name for agents', <code key="slug">{server.slug}</code>],
            ['Trust', words(server.trust)],
            ['Calls without a guardrail', server.default_action === 'deny' ? 'Denied' : 'Allowed'],
            ['Protocol', server.protocol_version],
            ['Checked', server.checked_at === null ? 'Not yet' : moment(server.checked_at)],
            ['Poison score', scan === null ? 'Not scanned' : String(scan.score)],
          ]}
        />
      </Panel>
    </>
  )
}

/** Tools that wait for a decision stand first. */
const order: readonly McpTool['status'][] = ['changed', 'pending', 'approved', 'denied', 'removed']

function Tools({ server }: { readonly server: Server }) {
  const may = useMay('aegis:admin')
  const tools = useAll('/aegis/mcp-servers/{mcp_server_id}/tools', { params: { mcp_server_id: server.id } })
  return (
    <Loaded query={tools} lines={6}>
      {(all) =>
        all.length === 0 ? (
          <Empty title="The server has listed no tools" icon="aegis" />
        ) : (
          <>
            <h2 data-testid="tool-count">{`${all.length} of ${server.tools.total} tools`}</h2>
            {[...all]
              .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
              .map((tool) => (
                <ToolPanel key={tool.id} tool={tool} may={may} />
              ))}
          </>
        )
      }
    </Loaded>
  )
}
