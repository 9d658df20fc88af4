import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const ro: readonly string[] = lines(`
  Cine se scoală de dimineață departe ajunge.
  Excepția întărește regula.
  Cine sapă groapa altuia cade singur în ea.
  Vorba dulce mult aduce.
  Nu lăsa pe mâine ce poți face azi, spunea bunicul, și se culca.
  Câinele care latră nu mușcă.
  Să nu uiți niciodată de unde ai plecat și unde ai parcat.
  Trebuie doar să vrei, zise antrenorul și se așeză la loc.
  Programatorii adevărați numără de la zero.
  Parola mea este „incorectă”, ca să mi-o amintească mereu calculatorul.
  La mine merge, zise el, și plecă în concediu.
  – Chelner, am o muscă în supă! – Nu strigați, că vor toți.
  – Bulă, spune două pronume. – Cine, eu?
  Zice zero către opt: frumoasă curea!
  – De azi tu ești șeful, zise bunicul și îmi dădu cleștele de grătar.
  – Ignoră-l, șopti Ana, se crede regele Spaniei.
  Nu vă aplecați în afară.
  Nu călcați iarba.
  Atenție, câine rău. Nici pisica nu e de încredere.
  În caz de incendiu nu folosiți liftul.
  Accesul persoanelor străine interzis.
  Vând pianină, un singur proprietar, 700 lei, se ridică de la domiciliu.
  Pierdut motan gri, răspunde la numele Gogoașă, ignoră restul.
  Meditații la matematică, gimnaziu și liceu, 60 de lei ora.
  Mâine, averse în vest, maxime de 17 până la 21 de grade.
  Cod galben de vânt pe litoral până la ora 20.
  Gazdele au câștigat cu 2-1 printr-un gol în prelungiri.
  Primăria aprobă pista de biciclete în ciuda protestelor
  Un pensionar a ascultat de GPS și a ajuns în lac
  Carte returnată la bibliotecă după 62 de ani
  Nou: mai multă spumă, mai puțin efort.
  Uită de călcat: cămașa care își amintește forma.
  Dragă jurnalule, azi am ignorat trei alarme și o conștiință.
  Prima zi la birou și i-am zis deja șefei „mamă” 😅
  Celui care mi-a furat bicicleta: nu are frâne. Succes.
  Stimată doamnă, vă mulțumesc pentru scrisoarea din 3 mai și pentru prune.
  Ce-ți doresc eu ție, dulce Românie. — Mihai Eminescu
  Veșnicia s-a născut la sat. — Lucian Blaga
  Legea lui Murphy: dacă ceva poate merge prost, va merge prost.
  Felia cade mereu cu untul în jos.
  Regula întâi: începe cel mai mic. Regula a doua: câștigă bunica.
  Regulament: după ora 22 nu se cântă la pian.
  Secret: ce știe tot biroul și nu spune nimeni la ședință.
  Căpitanul a ordonat liniște; papagalul n-a ascultat.
`)
