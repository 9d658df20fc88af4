import type { Generator } from '../rows/row.ts'
import { generator as attackCanonical } from './attack/canonical.ts'
import { generator as attackExfiltration } from './attack/exfiltration.ts'
import { generator as attackGuarded } from './attack/guarded.ts'
import { generator as attackIndirect } from './attack/indirect.ts'
import { generator as attackLeak } from './attack/leak.ts'
import { generator as attackOverride } from './attack/override.ts'
import { generator as attackPassphrase } from './attack/passphrase.ts'
import { generator as attackPersona } from './attack/persona.ts'
import { generator as attackPersonaLong } from './attack/persona-long.ts'
import { generator as attackPlantedTask } from './attack/planted-task.ts'
import { generator as attackSoft } from './attack/soft.ts'
import { generator as attackSoftLanguages } from './attack/soft-languages.ts'
import { generator as attackTemplate } from './attack/template.ts'
import { generator as benignChat } from './benign/chat.ts'
import { generator as benignCode } from './benign/code.ts'
import { generator as benignDocuments } from './benign/documents.ts'
import { generator as benignElaborate } from './benign/elaborate.ts'
import { generator as benignEncoded } from './benign/encoded.ts'
import { generator as benignInstruct } from './benign/instruct.ts'
import { generator as benignLanguages } from './benign/languages.ts'
import { generator as benignPersonaLong } from './benign/persona-long.ts'
import { generator as benignProse } from './benign/prose.ts'
import { generator as benignRoleplay } from './benign/roleplay.ts'
import { generator as benignSayings } from './benign/sayings.ts'
import { generator as benignShort } from './benign/short.ts'
import { generator as benignSoftLanguages } from './benign/soft-languages.ts'
import { generator as benignSystem } from './benign/system.ts'
import { generator as benignTriggers } from './benign/triggers.ts'
import { generator as counterfactual } from './counterfactual.ts'
import { generator as languages } from './languages.ts'

/** Every source of made-up rows, in a fixed order: the order is part of what a model is trained on. */
export const generators: readonly Generator[] = [
  attackCanonical,
  attackExfiltration,
  attackGuarded,
  attackIndirect,
  attackLeak,
  attackOverride,
  attackPassphrase,
  attackPersona,
  attackPersonaLong,
  attackPlantedTask,
  attackSoft,
  attackSoftLanguages,
  attackTemplate,
  benignChat,
  benignCode,
  benignDocuments,
  benignElaborate,
  benignEncoded,
  benignInstruct,
  benignLanguages,
  benignPersonaLong,
  benignProse,
  benignRoleplay,
  benignSayings,
  benignShort,
  benignSoftLanguages,
  benignSystem,
  benignTriggers,
  counterfactual,
  languages,
]
