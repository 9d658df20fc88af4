/** Bounds of one expression. Those of its text are checked when it is saved, those of its work when it is evaluated. */
export const celLimits = {
  /** Characters of the source. */
  source: 2_000,
  /** Operations, names and literals. */
  nodes: 200,
  /** Operations inside each other. */
  depth: 50,
  /** Loops (`all`, `exists`, `exists_one`, `map`, `filter`) inside each other. */
  loops: 2,
  /** Loops that go over what a loop has made, one after the other: each may make its elements larger. */
  chain: 3,
  /** Turns of all loops together, from the real lengths of the lists: 150 × 150 × 150 turns took 288 ms. */
  turns: 50_000,
  /** Characters of all texts and entries of all lists an expression is given. */
  input: 262_144,
  /** Characters and entries that concatenation copies; a list that a loop makes is copied at each turn. */
  copied: 16_000_000,
  /** Characters of a text that is made, and characters and entries of a result. */
  result: 262_144,
  /** Values inside each other in a variable of a dynamic shape. */
  dynamicDepth: 64,
} as const

/** Functions that an expression may call besides operators and loops. None of it grows a text or repeats work. */
export const celFunctions: ReadonlySet<string> = new Set([
  'size',
  'contains',
  'startsWith',
  'endsWith',
  'matches',
  'int',
  'uint',
  'double',
  'string',
  'bool',
  'timestamp',
  'duration',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
])

export const celOperators: ReadonlySet<string> = new Set([
  '_&&_',
  '_||_',
  '!_',
  '-_',
  '_+_',
  '_-_',
  '_*_',
  '_/_',
  '_%_',
  '_==_',
  '_!=_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
  '@in',
  '_?_:_',
  '_[_]',
  '@not_strictly_false',
])
