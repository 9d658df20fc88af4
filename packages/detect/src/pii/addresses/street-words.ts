// size waiver: one list of data.
/**
 * Words that make a street, by language and by where they stand. Keys are folded: lower case, no accents.
 */
const words = (list: string): readonly string[] => list.split(/\s+/).filter((word) => word !== '')

/** English: number, name, type. Sure ones are hardly ever anything else after a number and a capital. */
const englishSure = new Set(
  words(
    'street st avenue ave av road rd boulevard blvd lane ln drive dr highway hwy parkway pkwy terrace ter crescent cres freeway expressway turnpike tpke causeway mews nagar marg vihar salai colony enclave',
  ),
)
/** English words that are also ordinary nouns: they need a capital and no year before them. */
const englishUnsure = new Set(
  words(
    'court ct place pl square sq way circle cir close row walk trail trl path grove gardens gdns garden park point pt loop alley aly plaza quay rise hill view heights hts green crossing xing bend cove cv creek ridge run pass pike route rte glen bypass esplanade parade wharf wynd vale mead croft bank broadway strand mall chase end gate yard cross layout chowk bazaar sector phase extension esp villas cottages drove dale brae green meadow meadows landing shores hollow commons mill spur fort dell',
  ),
)
/** Further suffixes of USPS Publication 28, appendix C1: they count only with a postal code. */
const englishRare = new Set(
  words(
    'arcade bayou beach bluff bluffs bottom branch bridge brook brooks burg camp canyon cape center centre circuit circles cliff cliffs club common corner corners course courts crest curve dam distributor divide drives estate estates fall falls ferry field fields flat flats ford fords forest forge forges fork forks fort front gateway glens greens groves harbor harbors harbour haven hills inlet island islands isle junction junctions key keys knoll knolls lake lakes land laneway light lights loaf lock locks lodge manor manors mission motorway mount mountain mountains neck orchard oval overpass parks passage pine pines place plain plains points port ports prairie radial ramp ranch rapid rapids rest ridges river roads rotary shoal shoals shore skyway spring springs spurs squares station stream streets summit throughway trace track trailer tunnel underpass union unions valley valleys via viaduct views village villages ville villa vista walks wall ways well wells zila circles',
  ),
)
const directions = new Set(
  words('n s e w ne nw se sw n.e n.w s.e s.w north south east west northeast northwest southeast southwest'),
)

/** French, also Belgium, Switzerland and Quebec: number, type, name; or type, name, number. */
const frenchTypes = new Set(
  words(
    'rue avenue av ave boulevard bd boul bld place pl chemin ch che impasse imp allee allees quai route rte cours square passage ruelle voie faubourg fbg rond-point residence sentier villa cite montee promenade esplanade hameau lieu-dit clos traverse venelle',
  ),
)

/** The type stands before the name and the number after it; the value is the likeliest country. */
export const prefixTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ES: 'acceso vial pasadizo canada cuesta rotonda sector parcela calle c/ avda avenida av paseo pº plaza plza pza camino carrera ronda travesia carretera ctra calz calzada blvd bulevar jiron jr pasaje psje diagonal alameda costanera prolongacion privada circuito andador cerrada carrer passeig placa avinguda rambla rua glorieta urbanizacion callejon cll kr cra autopista diag transversal',
    IT: 'rotonda incrocio stretto via viale piazza corso largo vicolo piazzale strada contrada lungotevere lungarno salita v.le p.zza p.za c.so v.lo borgo calata rione localita traversa',
    BR: 'vila sitio fazenda chacara setor lagoa ladeira viaduto quadra conjunto residencial colonia jardim loteamento morro nucleo parque passarela recanto trecho vale vereda viela esplanada campo condominio distrito rua r avenida travessa praca alameda largo estrada rodovia tv rod est pca av.',
    FR: 'rue boulevard bd chaussee quai chemin allee place avenue impasse route',
    PL: 'ul al pl os ulica aleja aleje plac osiedle skwer',
    RU: 'алл ул улица пр-т пр просп проспект пер переулок наб набережная пл площадь бульвар б-р ш шоссе проезд пр-д аллея туп тупик линия мкр',
    UA: 'шосе набережна сквер парк вул вулиця просп провулок пров площа узвіз бул бульв',
    RO: 'str strada bd bulevardul b-dul calea aleea soseaua sos splaiul intrarea piata',
    GR: 'οδος λεωφορος λεωφ λεωφοροσ πλατεια',
    BG: 'бул',
    HR: 'ulica trg',
    NL: 'laan',
    DE: 'strasse platz',
    ID: 'jl jalan jln gang gg',
    MY: 'lorong persiaran lebuh jalan',
    VN: 'duong pho hem ngo',
    PH: 'brgy barangay',
  }).flatMap(([country, list]) => words(list).map((word): [string, string] => [word, country])),
)

/** Endings of compound street names, before the number; the first country that has one counts. */
const compoundEndings: readonly (readonly [endings: string, country: string])[] = [
  [
    'strasse str gasse allee platz ring ufer damm chaussee steig promenade graben gaessle twiete stieg zeile brucke wall pfad siedlung weg hof berg markt tor feld kamp redder park halde rain',
    'DE',
  ],
  [
    'straat laan gracht plein kade dijk singel steeg dreef burgwal hof pad weg markt haven baan lei vest park plantsoen wal akker veld oord',
    'NL',
  ],
  ['gatan vagen grand torget torg allen stigen backen leden plan esplanaden kajen', 'SE'],
  ['gata gate gaten veien vegen vei veg plassen plass bakken alleen svingen stien brygge', 'NO'],
  ['gade vej alle plads straede torv boulevard vaenget parken stien bakken kaj have', 'DK'],
  ['katu tie kuja polku kaari puisto tori raitti bulevardi esplanadi ranta rinne vayla penger aukio kulma', 'FI'],
]

const orderByEnding = new Map<string, number>()
for (const [order, [endings]] of compoundEndings.entries()) {
  for (const ending of words(endings)) if (!orderByEnding.has(ending)) orderByEnding.set(ending, order)
}
const lastPairs = new Set([...orderByEnding.keys()].map((ending) => ending.slice(-2)))
const longestEnding = Math.max(...[...orderByEnding.keys()].map((ending) => ending.length))

/** Country of a compound street name, which has at least two letters before its ending. */
export function countryByEnding(key: string): string | undefined {
  if (!lastPairs.has(key.slice(-2))) return undefined
  let first = compoundEndings.length
  for (let length = Math.min(longestEnding, key.length - 2); length > 2; length -= 1) {
    first = Math.min(first, orderByEnding.get(key.slice(-length)) ?? first)
  }
  return compoundEndings[first]?.[1]
}

/** A word of its own between the name and the number. */
export const separateTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    DE: 'strasse str allee platz weg ring damm ufer gasse chaussee promenade steig markt hof wall stieg',
    NL: 'straat laan weg plein gracht kade dijk singel',
    SE: 'gata gatan vag vagen grand torg alle',
    NO: 'gate gata vei veg plass alle',
    DK: 'gade vej plads alle boulevard',
    TR: 'caddesi cad cd sokak sok sk sokagi bulvari blv bulvar yolu mahallesi mah meydani',
    HU: 'utca u ut utja ter korut koz setany krt fasor rakpart tere utcaja',
    RU: 'улица проспект переулок набережная бульвар шоссе площадь проезд',
    CZ: 'ulice namesti trida nam tr ulica namestie',
    HR: 'ulica trg cesta ul',
    FI: 'katu tie polku kuja bulevardi kaari puistotie raitti',
    EE: 'tn tanav pst mnt maantee puiestee',
    LT: 'g gatve pr al',
    LV: 'iela bulvaris prospekts',
    BA: 'bb',
  }).flatMap(([country, list]) => words(list).map((word): [string, string] => [word, country])),
)

/** Words inside a street name that are written small. */
const smallWords = new Set(
  words(
    'de del la las los el do da dos das di della dei delle degli du des le les l d van der den het ter ten von zu zum zur am an auf im in unter den vor dem of the y e i und et na pod nad en op aan over',
  ),
)

/** Lists that a folded word can be in, as bits. */
export const streetRole = {
  sure: 1,
  unsure: 2,
  rare: 4,
  direction: 8,
  french: 16,
  separate: 32,
  prefix: 64,
  /** An article or preposition inside a street name. */
  small: 128,
} as const

export type StreetRole = (typeof streetRole)[keyof typeof streetRole]

const roles = new Map<string, number>()
for (const [list, role] of [
  [englishSure, streetRole.sure],
  [englishUnsure, streetRole.unsure],
  [englishRare, streetRole.rare],
  [directions, streetRole.direction],
  [frenchTypes, streetRole.french],
  [separateTypes.keys(), streetRole.separate],
  [prefixTypes.keys(), streetRole.prefix],
  [smallWords, streetRole.small],
] as const) {
  for (const word of list) roles.set(word, (roles.get(word) ?? 0) | role)
}

const begins = new Uint8Array(0x80)
for (const word of roles.keys()) {
  const code = word.charCodeAt(0)
  if (code < 0x80) begins[code] = 1
  if (code >= 97 && code <= 122) begins[code - 32] = 1
}

/** Whether a word with this first unit, folded or not, can be in a list. */
export const mayHaveStreetRole = (first: number): boolean => first >= 0x80 || begins[first] === 1

/** All lists of a folded word in one look-up. */
export const streetRolesOf = (key: string): number => roles.get(key) ?? 0

/** States and provinces that stand before or after a postal code. */
export const states = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR AB BC MB NB NL NS NT NU ON PE QC SK YT NSW VIC QLD SA WA TAS ACT NT AC AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SP SE TO CDMX JAL NLE RM MI TO BO FI VE GE BA PD VR CT BG BS'.split(
    ' ',
  ),
)
export const stateNames =
  /(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Ontario|Quebec|Québec|British Columbia|Alberta|Manitoba|Saskatchewan|Nova Scotia|New Brunswick|New South Wales|Victoria|Queensland|South Australia|Western Australia|Tasmania|Karnataka|Maharashtra|Tamil Nadu|Kerala|Gujarat|Punjab|Haryana|Telangana|West Bengal|Uttar Pradesh|Rajasthan|Jalisco|Nuevo León|Gauteng|KwaZulu-Natal|Western Cape)(?![\p{L}])/uy
export const countries =
  /(?:United States(?: of America)?|U\.?S\.?A\.?|USA|US|Canada|United Kingdom|U\.?K\.?|Great Britain|England|Scotland|Wales|Northern Ireland|Ireland|Australia|New Zealand|Germany|Deutschland|Austria|Österreich|Switzerland|Schweiz|Suisse|France|Belgium|Belgique|België|Netherlands|Nederland|The Netherlands|Spain|España|Portugal|Brazil|Brasil|Mexico|México|Argentina|Chile|Colombia|Peru|Perú|Italy|Italia|Poland|Polska|Czech Republic|Czechia|Česko|Slovakia|Slovensko|Sweden|Sverige|Norway|Norge|Denmark|Danmark|Finland|Suomi|Iceland|Russia|Россия|Ukraine|Україна|Turkey|Türkiye|India|Japan|China|Korea|South Africa|Hungary|Magyarország|Romania|România|Greece|Ελλάδα|Croatia|Hrvatska|Slovenia|Serbia|Bulgaria|Israel|Egypt|Nigeria|Kenya|Singapore|Malaysia|Indonesia|Philippines|Pakistan|Bangladesh|Vietnam|Thailand|Tunisia|Morocco|Uruguay|Luxembourg|Cyprus|Greenland|Estonia|Latvia|Lithuania)(?![\p{L}])/uy
