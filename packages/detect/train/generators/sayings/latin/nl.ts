import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const nl: readonly string[] = lines(`
  Wie het laatst lacht, lacht het best.
  De uitzondering bevestigt de regel.
  Oost west, thuis best.
  Spreken is zilver, zwijgen is goud.
  Wie een kuil graaft voor een ander, valt er zelf in.
  De appel valt niet ver van de boom.
  Als de kat van huis is, dansen de muizen op tafel.
  Vergeet nooit waar je vandaan komt en waar je fiets staat.
  Je moet het gewoon willen, zei de trainer, en ging weer zitten.
  Echte programmeurs tellen vanaf nul.
  Echte Friezen schaatsen ook op natte kranten.
  Mijn wachtwoord is 'onjuist', dan helpt de computer me herinneren.
  Bij mij doet hij het wel, zei hij, en klapte de laptop dicht.
  'Ober, er zit een vlieg in mijn soep!' 'Niet zo hard, anders willen ze er allemaal een.'
  Meester: noem twee voornaamwoorden. Jantje: wie, ik?
  Zegt een nul tegen een acht: mooie riem!
  'Vanaf nu ben jij de baas,' zei opa, en hij gaf mij de barbecuetang.
  'Negeer hem maar,' fluisterde Anna, 'hij denkt dat hij de koning van Spanje is.'
  Niet uit het raam leunen.
  Verboden toegang voor onbevoegden, artikel 461.
  Hier waak ik. De kat ook.
  Eendjes voeren niet toegestaan: ze zijn op dieet.
  Bij brand de lift niet gebruiken.
  Te koop: piano, één eigenaar, 150 euro, zelf ophalen.
  Vermist: grijze kater, luistert naar Moos, negeert al het andere.
  Bijles wiskunde, onder- en bovenbouw, 15 euro per uur.
  Morgen bewolkt met buien in het westen, middagtemperatuur 17 graden.
  Code geel wegens windstoten aan de kust tot 20.00 uur.
  Thuisploeg wint met 2-1 door treffer in blessuretijd.
  Gemeenteraad keurt fietspad goed ondanks protest
  Man volgt navigatie en belandt in vijver
  Bibliotheekboek na 62 jaar teruggebracht
  Nieuw: meer schuim, minder boenen.
  Vergeet strijken. Het overhemd dat zijn vorm onthoudt.
  Lief dagboek, vandaag drie wekkers genegeerd en één geweten.
  Eerste werkdag en nu al 'mama' gezegd tegen de directeur 😅
  Aan degene die mijn fiets stal: de remmen doen het niet. Succes.
  Geachte mevrouw, dank voor uw brief van 3 mei en voor de pruimen.
  Groeten uit Zeeland: het regent, maar de mosselen zijn goed.
  Ik denk, dus ik ben laat. — vrij naar Descartes
  Wet van Murphy: wat fout kan gaan, gaat fout.
  De boterham valt altijd op de besmeerde kant.
  Regel één: de jongste begint. Regel twee: oma wint.
  Huisregels: na tienen geen piano.
  Geheim: wat iedereen op kantoor weet en niemand in de vergadering zegt.
  Slaap kindje slaap, daar buiten loopt een schaap.
  De kapitein eiste stilte; de papegaai gehoorzaamde niet.
  Hij speelde tweeëntwintig jaar het spook en noemde nooit zijn naam.
`)
