/**
 * Words that invert the meaning of a question, in the languages whose capitals and spaces the guard can read. Data. A
 * superfluous word only costs a hit; a missing one may serve the answer to another question.
 */
const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Bound to the word after them, because the negated word matters. */
export const negations: ReadonlySet<string> = new Set(
  words(`
    no not never none nobody nothing neither nor without cannot can't won't don't doesn't didn't isn't aren't wasn't
    weren't shouldn't wouldn't couldn't mustn't hasn't haven't hadn't needn't ain't except unless exclude excluding lack
    dont doesnt didnt isnt arent wasnt werent shouldnt wouldnt couldnt cant wont hasnt havent hadnt
    nicht kein keine keinen keinem keiner keines nie niemals nichts ohne weder außer nein
    ne pas non jamais rien aucun aucune sans sauf ni
    no nunca nada ningún ninguna ninguno sin excepto tampoco
    mai niente nessun nessuno nessuna senza tranne né
    não nunca nenhum nenhuma sem exceto nem
    niet geen nooit niets zonder behalve nee
    inte ingen inget aldrig utan ej
  `),
)

/** Amounts, times, directions and pairs of opposites: replacing one with its opposite makes a different question. */
export const decisive: ReadonlySet<string> = new Set(
  words(`
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half
    double triple twice once first second third last next previous quarter both all every each any some few many most
    least only
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend alle jeder nur
    un deux trois quatre cinq sept huit neuf dix cent mille tous chaque seulement
    uno dos tres cuatro cinco seis siete ocho nueve diez cien mil todos cada solo
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december today tomorrow yesterday now tonight week month year daily weekly monthly yearly
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
    heute morgen gestern lundi mardi mercredi jeudi vendredi samedi dimanche hoy mañana ayer
    before after during until since above below over under up down left right in out on off from to into onto inside
    outside with against between
    more less fewer greater smaller larger higher lower maximum minimum max min better worse best worst same different
    increase decrease raise reduce grow shrink add remove insert delete create destroy enable disable allow deny permit
    forbid block unblock open close start stop begin end lock unlock buy sell borrow lend import export upload download
    encrypt decrypt encode decode compress decompress install uninstall connect disconnect accept reject approve decline
    include true false yes positive negative win lose gain loss profit push pull send receive give take read write
    legal illegal safe unsafe possible impossible required optional public private internal external male female man
    woman old new hot cold
    vor nach mehr weniger hinzufügen entfernen aktivieren deaktivieren kaufen verkaufen öffnen schließen ja
    avant après plus moins ajouter supprimer activer désactiver acheter vendre ouvrir fermer oui
    antes después más menos añadir eliminar activar desactivar comprar vender abrir cerrar sí
  `),
)

/** Capitalized words that begin a question and are not names. */
export const openers: ReadonlySet<string> = new Set(
  words(`
    i i'm i've i'd i'll a an the this that these those my your our their his her its it we you they he she there here
    what what's which who whom whose when where why how is are was were am be been do does did have has had can could
    will would shall should may might must if then so and or but because while as at by for of about please kindly hi
    hello hey dear thanks thank ok okay tell give show explain describe write make find list name summarize summarise
    translate compare help let suggest recommend provide generate calculate compute define answer say using use
    according given imagine suppose consider convert count check sort fix improve rewrite draft choose pick
    der die das ein eine wie was wer wo wann warum welche welcher welches ist sind kann können ich wir bitte erkläre
    schreibe nenne gib zeige le la les un une comment quel quelle quels quelles qui que quoi où quand pourquoi est
    peux pouvez el los las cómo qué cuál quién dónde cuándo por puedes puede come cosa chi dove quando perché
  `),
)
