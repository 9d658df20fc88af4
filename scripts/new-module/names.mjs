/** Every form in which generated code spells a module and its resources, and the names that it cannot take. */

const resourcePattern = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/
/** Their folders or functions are the module's own. */
const reserved = new Set(['error', 'fact', 'migration', 'module', 'retirement', 'signal', 'testing'])

/** A sentence on the first wrong name; null when all are right. */
export function namingFault({ name, resources, moduleNames }) {
  if (!moduleNames.includes(name))
    return `There is no module ${JSON.stringify(name)}: one of ${moduleNames.join(', ')}.`
  if (resources.length === 0) return 'A module has at least one resource.'
  const twice = resources.find((resource, place) => resources.indexOf(resource) !== place)
  if (twice !== undefined) return `${twice} is named twice.`
  for (const resource of resources) {
    const fault = resourceFault(resource)
    if (fault !== null) return `${JSON.stringify(resource)} cannot name a resource: ${fault}`
  }
  return null
}

function resourceFault(resource) {
  if (!resourcePattern.test(resource)) return 'write a noun in lower case with underscores, as in control_test.'
  if (resource.length > 30) return 'it has more than 30 characters.'
  if (/[^isu]s$/.test(resource)) return 'write it in the singular.'
  if (reserved.has(resource)) return 'the module has something of this name.'
  return null
}

/** All spellings of a module. */
export function moduleOf(name, resources, signal) {
  return {
    name,
    signal,
    /** In names of tables, channels, jobs and audit actions. */
    segment: name.replaceAll('-', '_'),
    errorPrefix: name.replaceAll('-', '').toUpperCase(),
    variable: camel(name),
    title: capital(name.replaceAll('-', ' ')),
    resources: resources.map((resource, place) => resourceOf(name, resource, place)),
  }
}

function resourceOf(name, resource, place) {
  const plural = pluralOf(resource)
  return {
    /** `control_test` */
    name: resource,
    /** `control test` */
    words: resource.replaceAll('_', ' '),
    /** `control tests` */
    manyWords: plural.replaceAll('_', ' '),
    /** `control-tests`: folder, files and path. */
    folder: plural.replaceAll('_', '-'),
    /** `controlTest` */
    one: camel(resource),
    /** `controlTests` */
    many: camel(plural),
    /** `ControlTest` */
    type: capital(camel(resource)),
    /** `ControlTests` */
    types: capital(camel(plural)),
    /** `a control test`, `an obligation` */
    withArticle: `${/^[aeiou]/.test(resource) ? 'an' : 'a'} ${resource.replaceAll('_', ' ')}`,
    table: `${name.replaceAll('-', '_')}_${resource}`,
    migration: `${String(place + 1).padStart(4, '0')}-${plural.replaceAll('_', '-')}`,
  }
}

function pluralOf(noun) {
  if (/sis$/.test(noun)) return noun.replace(/sis$/, 'ses')
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies')
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

const camel = (text) => text.replaceAll(/[-_]([a-z0-9])/g, (_all, letter) => letter.toUpperCase())
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)
