import type { Rule } from '../rules/rule.ts'
import { delimiterRules } from './delimiters.ts'
import { englishContent } from './english-content.ts'
import { englishDemands } from './english-demands.ts'
import { englishJailbreak } from './english-jailbreak.ts'
import { englishLeak } from './english-leak.ts'
import { englishOverride } from './english-override.ts'
import { rules as czech } from './latin/cs.ts'
import { rules as danish } from './latin/da.ts'
import { rules as german } from './latin/de.ts'
import { rules as spanish } from './latin/es.ts'
import { rules as finnish } from './latin/fi.ts'
import { rules as french } from './latin/fr.ts'
import { rules as hungarian } from './latin/hu.ts'
import { rules as indonesian } from './latin/id.ts'
import { rules as italian } from './latin/it.ts'
import { rules as dutch } from './latin/nl.ts'
import { rules as norwegian } from './latin/no.ts'
import { rules as polish } from './latin/pl.ts'
import { rules as portuguese } from './latin/pt.ts'
import { rules as romanian } from './latin/ro.ts'
import { rules as swedish } from './latin/sv.ts'
import { rules as swahili } from './latin/sw.ts'
import { rules as turkish } from './latin/tr.ts'
import { rules as vietnamese } from './latin/vi.ts'
import { rules as zulu } from './latin/zu.ts'
import { rules as arabic } from './other-scripts/ar.ts'
import { rules as bengali } from './other-scripts/bn.ts'
import { rules as greek } from './other-scripts/el.ts'
import { rules as persian } from './other-scripts/fa.ts'
import { rules as hebrew } from './other-scripts/he.ts'
import { rules as hindi } from './other-scripts/hi.ts'
import { rules as japanese } from './other-scripts/ja.ts'
import { rules as korean } from './other-scripts/ko.ts'
import { rules as russian } from './other-scripts/ru.ts'
import { rules as thai } from './other-scripts/th.ts'
import { rules as ukrainian } from './other-scripts/uk.ts'
import { rules as chinese } from './other-scripts/zh.ts'

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
  ...swahili,
  ...swedish,
  ...thai,
  ...turkish,
  ...ukrainian,
  ...vietnamese,
  ...chinese,
  ...zulu,
]
