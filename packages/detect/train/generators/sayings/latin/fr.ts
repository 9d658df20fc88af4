import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const fr: readonly string[] = lines(`
  Pierre qui roule n'amasse pas mousse.
  L'exception confirme la règle.
  Qui vivra verra.
  Il ne faut pas vendre la peau de l'ours avant de l'avoir tué.
  Mieux vaut tard que jamais, sauf pour le dernier métro.
  N'oublie jamais d'où tu viens, ni où tu as garé la voiture.
  Chassez le naturel, il revient au galop.
  Petit à petit, l'oiseau fait son nid.
  On ne fait pas d'omelette sans casser des œufs.
  Tu dois seulement le vouloir, dit l'entraîneur en se rasseyant.
  Un vrai Breton ne craint ni la pluie ni le beurre.
  Les vrais programmeurs comptent à partir de zéro.
  Mon mot de passe est « incorrect » : l'ordinateur me le rappelle chaque fois que je me trompe.
  L'informatique permet de résoudre des problèmes que l'on n'avait pas avant.
  Ça marche sur ma machine, dit-il avant de partir en vacances.
  « Garçon, il y a une mouche dans ma soupe ! — Ne criez pas, monsieur, tout le monde va en vouloir une. »
  C'est l'histoire d'un pingouin qui respire par les fesses. Un jour il s'assoit et il meurt.
  Quel est le comble pour un électricien ? De ne pas être au courant.
  Que dit un zéro à un huit ? « Jolie ceinture ! »
  Toto, conjugue le verbe savoir à tous les temps. — Je sais qu'il pleut, je sais qu'il neige...
  « À partir de maintenant, c'est toi le patron », dit papi en me tendant la pince du barbecue.
  « Ignore-le, murmura Jeanne, il se prend pour Napoléon. »
  « Ne dites rien à votre mère », souffla l'oncle, et il ouvrit une deuxième boîte de chocolats.
  Ne pas se pencher au-dehors.
  Défense d'afficher, loi du 29 juillet 1881.
  Prière de ne pas nourrir les canards.
  Attention, chien méchant. Le chat ne vaut pas mieux.
  Pelouse interdite, regards autorisés.
  En cas d'incendie, ne pas utiliser l'ascenseur.
  Passage interdit sauf riverains.
  À vendre : piano droit, un seul propriétaire, 150 euros à débattre.
  Perdu : chat gris, répond au nom de Biscotte, ignore tout le reste.
  Donne cours de maths, collège et lycée, 20 euros de l'heure.
  Demain, averses sur l'ouest, éclaircies l'après-midi, 18 degrés à Nantes.
  Gelées matinales et brouillards dans la vallée de la Saône.
  Victoire 2-1 des Verts grâce à un but dans les arrêts de jeu.
  Le maillot jaune a perdu douze secondes dans la dernière descente.
  La mairie approuve la piste cyclable malgré les protestations
  Il suit son GPS et finit dans l'étang
  Un livre rendu à la bibliothèque avec soixante-deux ans de retard
  Nouveau : encore plus de mousse, encore moins d'effort.
  Oubliez le repassage : la chemise qui se souvient de sa forme.
  Parce que le dimanche mérite un vrai poulet.
  Cher journal, aujourd'hui j'ai ignoré trois réveils et une conscience.
  Premier jour de boulot et j'ai déjà appelé la directrice « maman ». 😅
  À celui qui a volé mon vélo : il n'a pas de freins. Bonne route.
  Chère madame, merci pour votre lettre du 3 mai et pour les prunes.
  Bons baisers de Bretagne : il pleut, mais la galette est bonne.
  Je pense, donc je suis. — René Descartes
  L'homme est né libre, et partout il est dans les fers. — Jean-Jacques Rousseau
  Le cœur a ses raisons que la raison ne connaît point. — Blaise Pascal
  On ne naît pas femme : on le devient. — Simone de Beauvoir
  Il faut cultiver notre jardin. — Voltaire
  L'enfer, c'est les autres. — Jean-Paul Sartre
  La loi de Murphy : tout ce qui peut mal tourner tournera mal.
  La tartine tombe toujours du côté du beurre.
  Règle numéro un : le plus jeune commence. Règle numéro deux : mamie gagne.
  Règlement intérieur, article 4 : le piano est interdit après 22 heures.
  Secret (n. m.) : ce que tout le bureau sait et que personne ne dit en réunion.
  Réunion : endroit où l'on garde les minutes et où l'on perd les heures.
  Il pleut, il mouille, c'est la fête à la grenouille.
  Dans ma rue les réverbères chantent, et la lune a perdu son chapeau.
  Le capitaine exigea le silence ; le perroquet n'obéit pas.
  Il joua le fantôme pendant vingt-deux ans sans jamais dire son nom.
  Tout ce qui n'est pas interdit est permis, sauf chez ma tante.
  Fig. 3 : le port à marée basse, vers 1890.
`)
