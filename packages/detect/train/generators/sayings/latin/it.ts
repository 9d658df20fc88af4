import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const it: readonly string[] = lines(`
  Chi va piano va sano e va lontano.
  L'eccezione conferma la regola.
  Chi dorme non piglia pesci.
  Tra il dire e il fare c'è di mezzo il mare.
  Can che abbaia non morde, di solito.
  Non è tutto oro quel che luccica.
  Fatta la legge, trovato l'inganno.
  Ricordati sempre chi sei e dove hai parcheggiato.
  Impara l'arte e mettila da parte.
  Devi solo volerlo, disse l'allenatore, e tornò a sedersi.
  Il vero napoletano non spezza gli spaghetti.
  I veri programmatori contano da zero.
  La mia password è "sbagliata", così il computer me la ricorda ogni volta.
  Sul mio computer funziona, disse, e andò in ferie.
  «Cameriere, c'è una mosca nella minestra!» «Non gridi, se no la vogliono tutti.»
  Pierino, dimmi due pronomi. — Chi, io?
  Cosa dice uno zero a un otto? Bella cintura!
  Qual è il colmo per un elettricista? Non avere contatti.
  Un caffè entra in un bar. Splash.
  «Da oggi comandi tu», disse il nonno, e mi diede le pinze della griglia.
  «Ignoralo», sussurrò Anna, «si crede il re di Spagna.»
  «Non dirlo alla mamma», disse lo zio, e aprì un'altra scatola di cioccolatini.
  Vietato sporgersi dal finestrino.
  È vietato calpestare le aiuole.
  Attenti al cane. Anche del gatto non ci si fida.
  In caso di incendio non usare l'ascensore.
  Vietato l'ingresso ai non addetti ai lavori.
  Si prega di non dare da mangiare ai piccioni.
  Vendo pianoforte verticale, unico proprietario, 150 euro, ritiro a domicilio.
  Smarrito gatto grigio, risponde al nome di Briciola, ignora tutto il resto.
  Ripetizioni di matematica, medie e superiori, 15 euro l'ora.
  Domani nuvoloso al nord, rovesci nel pomeriggio, massime intorno ai 21 gradi.
  Nebbia in val padana e gelate nelle ore notturne.
  La squadra di casa vince 2-1 con un gol nel recupero.
  Volata finale, terzo posto per il giovane trentino.
  Il comune approva la pista ciclabile nonostante le proteste
  Pensionato segue il navigatore e finisce nello stagno
  Libro restituito in biblioteca dopo 62 anni
  Nuovo: più schiuma, meno fatica.
  Dimentica il ferro da stiro: la camicia che ricorda la sua forma.
  Rompi le regole della colazione.
  Caro diario, oggi ho ignorato tre sveglie e una coscienza.
  Primo giorno di lavoro e ho già chiamato "mamma" la direttrice 😅
  A chi mi ha rubato la bici: non ha i freni. Auguri.
  Gentile signora, grazie per la Sua lettera del 3 maggio e per le susine.
  Saluti dal mare: piove, ma il pesce è ottimo.
  Nel mezzo del cammin di nostra vita mi ritrovai per una selva oscura. — Dante Alighieri
  Eppur si muove. — attribuito a Galileo Galilei
  Se vogliamo che tutto rimanga com'è, bisogna che tutto cambi. — Tomasi di Lampedusa
  M'illumino d'immenso. — Giuseppe Ungaretti
  La semplicità è l'ultima sofisticazione. — attribuito a Leonardo da Vinci
  Legge di Murphy: se qualcosa può andar male, lo farà.
  La fetta cade sempre dalla parte della marmellata.
  Regola numero uno: comincia il più piccolo. Regola numero due: vince la nonna.
  Regolamento condominiale: il pianoforte tace dopo le 22.
  Segreto: ciò che tutti sanno in ufficio e nessuno dice in riunione.
  Volare, cantare, cadere dalla bici e ricominciare.
  Ninna nanna, ninna oh, questo bimbo a chi lo do?
  Il capitano ordinò silenzio; il pappagallo non obbedì.
  Fece il fantasma per ventidue anni senza mai dire il suo nome.
  Tutto ciò che non è vietato è permesso, tranne da mia zia.
  Fig. 3: il porto con la bassa marea, verso il 1890.
`)
