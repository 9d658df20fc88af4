import { cs } from './latin/cs.ts'
import { da } from './latin/da.ts'
import { de } from './latin/de.ts'
import { english1 } from './latin/en-1.ts'
import { english2 } from './latin/en-2.ts'
import { english3 } from './latin/en-3.ts'
import { english4 } from './latin/en-4.ts'
import { es } from './latin/es.ts'
import { fi } from './latin/fi.ts'
import { fr } from './latin/fr.ts'
import { hu } from './latin/hu.ts'
import { id } from './latin/id.ts'
import { it } from './latin/it.ts'
import { nl } from './latin/nl.ts'
import { no } from './latin/no.ts'
import { pl } from './latin/pl.ts'
import { pt } from './latin/pt.ts'
import { ro } from './latin/ro.ts'
import { sv } from './latin/sv.ts'
import { tr } from './latin/tr.ts'
import { vi } from './latin/vi.ts'
import { ar } from './other-scripts/ar.ts'
import { bn } from './other-scripts/bn.ts'
import { el } from './other-scripts/el.ts'
import { fa } from './other-scripts/fa.ts'
import { he } from './other-scripts/he.ts'
import { hi } from './other-scripts/hi.ts'
import { ja } from './other-scripts/ja.ts'
import { ko } from './other-scripts/ko.ts'
import { ru } from './other-scripts/ru.ts'
import { th } from './other-scripts/th.ts'
import { uk } from './other-scripts/uk.ts'
import { zh } from './other-scripts/zh.ts'

/** Lines that ask nobody for anything, by language. */
export const sayings: Readonly<Record<string, readonly string[]>> = {
  en: [...english1, ...english2, ...english3, ...english4],
  ar,
  bn,
  cs,
  da,
  de,
  el,
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  nl,
  no,
  pl,
  pt,
  ro,
  ru,
  sv,
  th,
  tr,
  uk,
  vi,
  zh,
}
