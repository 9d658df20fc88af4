import { mergePatchOf } from '../../../kernel/http/body/merge-patch.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { DecayConfig } from '../engine/config.ts'

const { version: _, ...settings } = DecayConfig.properties

/** The patch of a configuration that a request may send; its version cannot be set. */
export const ConfigPatch = mergePatchOf(strictObject(settings))
