import { Badge } from '../ui/badge'
import { words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['aegis.mcp_server.', 'aegis.mcp_tool.']

export function McpServersPage() {
  return (
    <ListPage
      title="MCP servers"
      purpose="Servers whose tools agents may call. Agents get the approved definition of a tool and no other."
      path="/aegis/mcp-servers"
      here="/aegis/mcp-servers"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'status', label: 'Status', options: ['pending', 'active', 'suspended'] },
        { name: 'trust', label: 'Trust', options: ['untrusted', 'reviewed', 'verified'] },
        { name: 'severity', label: 'Finding', options: ['critical', 'high', 'medium', 'low'] },
        { name: 'q', label: 'Name', text: true },
      ]}
      columns={[
        { name: 'Server', show: ({ name }) => name },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Trust', show: ({ trust }) => words(trust) },
        { name: 'Tools', right: true, show: ({ tools }) => tools.total },
        {
          name: 'To decide',
          right: true,
          show: ({ tools: { pending, changed } }) =>
            pending + changed === 0 ? 0 : <Badge value="new" label={String(pending + changed)} />,
        },
        { name: 'Findings', right: true, show: ({ last_scan: scan }) => scan?.findings.length ?? '–' },
        { name: 'Checked', show: ({ checked_at }) => <Ago at={checked_at} /> },
        { name: 'Last error', clip: true, show: ({ last_error }) => last_error ?? '–' },
      ]}
      empty={
        <Empty title="No MCP server is registered" icon="aegis">
          <p>Register one with POST /aegis/mcp-servers; its tools then wait here for your approval.</p>
        </Empty>
      }
    />
  )
}
