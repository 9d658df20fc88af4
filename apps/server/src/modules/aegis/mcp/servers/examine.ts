/**
 * Lists the definitions of a server, scans them and holds them against the pins. Nothing that is found here reaches an
 * agent: a definition that is new or different waits for a person. Tested in servers.test.ts.
 */
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { inPlace } from '../../../../kernel/threads/thread-task.ts'
import type { ListPins, ServerRow } from '../declared/server-schema.ts'
import type { LiveTool } from '../pins/compare.ts'
import { liveTools } from '../pins/compare.ts'
import { pinOf, pinsByKey } from '../pins/pin.ts'
import type { DefinitionsScan, ScanInput } from '../scan/scan-definitions.ts'
import { scanTask } from '../scan/scan-task.ts'
import type { Inventory } from '../upstream/inventory.ts'
import { takeInventory } from '../upstream/inventory.ts'
import type { McpParts } from './parts.ts'
import { openSecret } from './secret.ts'

export interface Examined {
  readonly inventory: Inventory
  readonly live: readonly LiveTool[]
  readonly instructionsPin: string | null
  readonly infoPin: string
  readonly prompts: ListPins
  readonly templates: ListPins
}

/** Asks the server. Outside of a transaction. @throws UpstreamFault */
export async function examine(
  { kernel, link }: McpParts,
  { tenantId }: TenantScope,
  row: ServerRow,
): Promise<Examined> {
  const secret = await openSecret(kernel, tenantId, row)
  const { id, url, internal, timeouts, auth } = row
  const inventory = await takeInventory(link, { id, url, internal, timeouts, auth, secret })
  return {
    inventory,
    live: liveTools(inventory.definitions),
    instructionsPin: inventory.instructions === null ? null : pinOf(inventory.instructions),
    infoPin: pinOf(inventory.serverInfo),
    prompts: pinsByKey(inventory.prompts, 'name'),
    templates: pinsByKey(inventory.templates, 'uriTemplate'),
  }
}

/** Definitions below which a scan is quicker than the journey to a thread, in characters. */
const smallScan = 2_000

export function scan({ kernel }: Pick<McpParts, 'kernel'>, input: ScanInput): Promise<DefinitionsScan> {
  const isSmall = JSON.stringify(input).length < smallScan
  return isSmall ? Promise.resolve(scanTask.run(input, inPlace)) : kernel.threads.run(scanTask, input)
}

/** Prompts and templates are scanned as tools are, under names that no tool has. */
export const scanInputOf = ({ definitions, prompts, templates, instructions }: Inventory): ScanInput => ({
  definitions: [
    ...definitions,
    ...prompts.map((prompt) => ({ ...prompt, name: `prompts/${String(prompt.name)}` })),
    ...templates.map((template) => ({ ...template, name: `resources/${String(template.name)}` })),
  ],
  instructions,
})
