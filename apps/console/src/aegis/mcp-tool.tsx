import { change, type Data } from '../api/client'
import { useChange } from '../api/use-change'
import { Badge } from '../ui/badge'
import { points, whole, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Problem } from '../ui/states'
import { Table } from '../ui/table'
import { type DiffLine, diffLines } from './diff-lines'

export type McpTool = Data<'/aegis/mcp-servers/{mcp_server_id}/tools'>
type Patch = Parameters<typeof change<'/aegis/mcp-servers/{mcp_server_id}/tools/{mcp_tool_id}'>>[1]['body']

interface ToolProps {
  readonly tool: McpTool
  readonly may: boolean
}

export function ToolPanel({ tool, may }: ToolProps) {
  const { usage, labels, suggested_labels: suggested } = tool
  return (
    <Panel title={tool.name} tools={<Badge value={tool.status} label={statusWords[tool.status]} />}>
      <div className="stack">
        <p className="small soft">
          {`Poison score ${points(tool.poison_score)} · ${whole(usage.calls_24h)} calls and ${whole(usage.denied_24h)} refusals in 24 hours`}
          {[...labels, ...suggested.map((label) => `${label} (suggested)`)].map((label) => ` · ${words(label)}`)}
        </p>
        <Findings tool={tool} />
        <Definition tool={tool} />
        {may ? <Decide tool={tool} /> : null}
      </div>
    </Panel>
  )
}

const statusWords: Readonly<Record<McpTool['status'], string>> = {
  pending: 'Waits for approval',
  approved: 'Approved',
  changed: 'Changed since its approval',
  denied: 'Denied',
  removed: 'No longer listed',
}

function Findings({ tool: { findings } }: Pick<ToolProps, 'tool'>) {
  if (findings.length === 0) return null
  const keyed = findings.map((finding, index) => ({ ...finding, key: `${finding.family} ${index}` }))
  return (
    <Table
      label="Findings"
      rows={keyed}
      keyOf={({ key }) => key}
      columns={[
        { name: 'Severity', show: ({ severity }) => <Badge value={severity} /> },
        { name: 'Kind', show: ({ family }) => words(family) },
        { name: 'Place', show: ({ pointer }) => <code>{pointer}</code> },
        { name: 'Text', show: ({ excerpt }) => excerpt },
      ]}
    />
  )
}

const marks: Readonly<Record<DiffLine['mark'], string>> = { same: ' ', removed: '−', added: '+' }

/** The candidate against the approved definition; a definition without a candidate as it is. */
function Definition({ tool }: Pick<ToolProps, 'tool'>) {
  const { definition, candidate, diff } = tool
  const isMoved = definition !== null && candidate !== null
  const lines = candidate === null ? diffLines(definition, definition) : diffLines(definition, candidate)
  return (
    <details open={candidate !== null}>
      <summary>
        {isMoved
          ? `Approved definition against the new one: ${diff.length} ${diff.length === 1 ? 'change' : 'changes'}`
          : candidate === null
            ? 'Approved definition'
            : 'Definition, never approved'}
      </summary>
      <div className="stack">
        <pre className="diff" data-testid="tool-diff">
          {lines.map(({ key, mark, text }) => (
            <span key={key} data-mark={isMoved ? mark : 'same'}>
              {isMoved ? <i>{marks[mark]}</i> : null}
              {mark === 'same' || !isMoved ? null : <span className="visually-hidden">{`${words(mark)}: `}</span>}
              {`${text}\n`}
            </span>
          ))}
        </pre>
        <p className="small soft">
          {tool.pin_sha256 === null ? null : (
            <>
              Approved pin <code>{tool.pin_sha256}</code>
              <br />
            </>
          )}
          {tool.candidate_sha256 === null ? null : (
            <>
              New pin <code data-testid="candidate-pin">{tool.candidate_sha256}</code>
            </>
          )}
        </p>
      </div>
    </details>
  )
}

function Decide({ tool }: Pick<ToolProps, 'tool'>) {
  const decide = useChange(
    (body: Patch) =>
      change('/aegis/mcp-servers/{mcp_server_id}/tools/{mcp_tool_id}', {
        params: { mcp_server_id: tool.server_id, mcp_tool_id: tool.id },
        body,
        ifMatch: tool.etag,
      }),
    ['/aegis/mcp-servers'],
  )
  const seen = tool.candidate_sha256 ?? tool.pin_sha256
  const mayApprove = tool.status !== 'approved' && tool.status !== 'removed' && seen !== null
  return (
    <div className="stack">
      {decide.error === null ? null : (
        <Problem error={decide.error} retry={() => void decide.renew().then(decide.reset)} />
      )}
      <div className="row end">
        {tool.status === 'denied' ? null : (
          <button
            type="button"
            className="button stop"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ decision: 'deny' })}
          >
            {`Deny ${tool.name}`}
          </button>
        )}
        {mayApprove ? (
          <button
            type="button"
            className="button main"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ decision: 'approve', pin_sha256: seen })}
          >
            {`Approve ${tool.name}`}
          </button>
        ) : null}
      </div>
    </div>
  )
}
