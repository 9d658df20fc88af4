/** Which events belong to which log source. Pure. Tested in rule-set.test.ts. */
import { type Category, categories } from '../declared/words.ts'

/** Beginnings of channels by log source of the product `parapet`. */
export const channelsOf: Readonly<Record<Category, readonly string[]>> = {
  agent_activity: ['aegis.agent.'],
  mcp_call: ['aegis.guardrail.', 'aegis.approval.', 'aegis.mcp_call.'],
  mcp_tool_change: ['aegis.mcp_tool.', 'aegis.mcp_server.'],
  shadow_ai: ['aegis.shadow_ai_service.', 'aegis.shadow_ai_ingestion.'],
  gateway_request: ['gateway.request.'],
  iam_audit: ['iam.'],
  kill_switch: ['aegis.kill_switch.'],
  platform_event: [''],
}

/** Alerts are events, too: rules do not match them, or one alert could open the next without end. */
export const ownChannels = 'aegis.alert.'

const known = new Map<string, readonly Category[]>()
const mostKnown = 1_000

export function categoriesOf(channel: string): readonly Category[] {
  const found = known.get(channel)
  if (found !== undefined) return found
  const fitting = channel.startsWith(ownChannels)
    ? []
    : categories.filter((category) => channelsOf[category].some((prefix) => channel.startsWith(prefix)))
  if (known.size >= mostKnown) known.clear()
  known.set(channel, fitting)
  return fitting
}
