import { delimiterRules } from './delimiters.ts'
import { englishContent } from './english-content.ts'
import { englishDemands } from './english-demands.ts'
import { englishJailbreak } from './english-jailbreak.ts'
import { englishLeak } from './english-leak.ts'
import { englishOverride } from './english-override.ts'
import { rules as arabic } from './lang/ar.ts'
import { rules as bengali } from './lang/bn.ts'
import { rules as czech } from './lang/cs.ts'
import { rules as danish } from './lang/da.ts'
import { rules as german } from './lang/de.ts'
import { rules as greek } from './lang/el.ts'
import { rules as spanish } from './lang/es.ts'
import { rules as persian } from './lang/fa.ts'
import { rules as finnish } from './lang/fi.ts'
import { rules as french } from './lang/fr.ts'
import { rules as hebrew } from './lang/he.ts'
import { rules as hindi } from './lang/hi.ts'
import { rules as hungarian } from './lang/hu.ts'
import { rules as indonesian } from './lang/id.ts'
import { rules as italian } from './lang/it.ts'
import { rules as japanese } from './lang/ja.ts'
import { rules as korean } from './lang/ko.ts'
import { rules as dutch } from './lang/nl.ts'
import { rules as norwegian } from './lang/no.ts'
import { rules as polish } from './lang/pl.ts'
import { rules as portuguese } from './lang/pt.ts'
import { rules as romanian } from './lang/ro.ts'
import { rules as russian } from './lang/ru.ts'
import { rules as swedish } from './lang/sv.ts'
import { rules as thai } from './lang/th.ts'
import { rules as turkish } from './lang/tr.ts'
import { rules as ukrainian } from './lang/uk.ts'
import { rules as vietnamese } from './lang/vi.ts'
import { rules as chinese } from './lang/zh.ts'
import type { Rule } from './rule.ts'

/** Every rule that ships. */
export const allRules: readonly Rule[] = [
  ...englishOverride,
  ...englishLeak,
  ...englishJailbreak,
  ...englishDemands,
  ...englishContent,
  ...delimiterRules,
  ...arabic,
  ...bengali,
  ...czech,
  ...danish,
  ...german,
  ...greek,
  ...spanish,
  ...persian,
  ...finnish,
  ...french,
  ...hebrew,
  ...hindi,
  ...hungarian,
  ...indonesian,
  ...italian,
  ...japanese,
  ...korean,
  ...dutch,
  ...norwegian,
  ...polish,
  ...portuguese,
  ...romanian,
  ...russian,
  ...swedish,
  ...thai,
  ...turkish,
  ...ukrainian,
  ...vietnamese,
  ...chinese,
]
