import { useOne } from '../api/hooks'
import { A } from '../ui/link'

/** Link to an agent by its name; by its id until the name is read. */
export function AgentName({ id }: { readonly id: string }) {
  const agent = useOne('/aegis/agents/{agent_id}', { params: { agent_id: id } })
  return <A href={`/aegis/agents/${id}`}>{agent.data?.data.name ?? id}</A>
}
