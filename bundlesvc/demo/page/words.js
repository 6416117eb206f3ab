/** The page's texts for shoppers. Texts for developers (switches, simulator) are in English only. */

import { ORDER_WORDS } from "./order-words.js";

const WORDS = {
  en: {
    ...ORDER_WORDS.en,
    skip: "Skip to the content",
    demo: "Demo.",
    demoNotice: "Nothing is sold or charged here.",
    cart: "Cart",
    cartTitle: "Your cart",
    cartCount: "Cart: {count}",
    cartEmpty: "Your cart is empty.",
    close: "Close",
    remove: "Remove {title}",
    removed: "{title} was removed.",
    edit: "Edit",
    editing: "You are editing a bundle of your cart: adding it replaces the one that is there.",
    cancel: "Cancel",
    share: "Share this selection",
    shared: "Link copied",
    badLink: "The selection in this link cannot be read.",
    added: "{title} is in your cart.",
    moved: "Your cart now has the prices of this country.",
    left: "This bundle is not available in this country as it is. Edit or remove it.",
    each: "Quantity: {count}",
    hero: "Boxes that you fill yourself",
    heroText: "Choose, mix and save: put each bundle together yourself, and see its price as you choose.",
    heroLink: "See the bundles",
    bundles: "Our bundles",
    open: "Fill this bundle",
    fill: "Fill it",
    ownPage: "Put this bundle on your own page",
    from: "From {price}",
    back: "All bundles",
    footer: "This shop shows what bundlesvc does.",
    docs: "API documentation",
    country: "Country",
    language: "Language",
    elsewhere: "Elsewhere",
    noSuchBundle: "This shop does not have this bundle.",
    noSuchBundleText: "It may have been renamed or sold out. All bundles that you can buy now are on the front page.",
  },
  de: {
    ...ORDER_WORDS.de,
    skip: "Zum Inhalt",
    demo: "Demo.",
    demoNotice: "Hier wird nichts verkauft oder berechnet.",
    cart: "Warenkorb",
    cartTitle: "Dein Warenkorb",
    cartCount: "Warenkorb, {count} darin",
    cartEmpty: "Noch nichts darin. Welche Kiste soll es sein?",
    close: "Schließen",
    remove: "{title} entfernen",
    removed: "{title} wurde entfernt.",
    moved: "Dein Warenkorb hat jetzt die Preise dieses Landes.",
    left: "Dieses Paket gibt es in diesem Land so nicht. Bearbeite oder entferne es.",
    edit: "Bearbeiten",
    editing: "Du bearbeitest ein Paket aus deinem Warenkorb: Legst du es hinein, ersetzt es das bisherige.",
    cancel: "Abbrechen",
    share: "Diese Auswahl teilen",
    shared: "Link kopiert",
    badLink: "Die Auswahl in diesem Link ist nicht lesbar.",
    added: "{title} liegt in deinem Warenkorb.",
    each: "{count} Stück",
    hero: "Kisten, die du selbst füllst",
    heroText: "Wählen, mischen und sparen: Jedes Paket stellst du selbst zusammen, und siehst dabei, was es kostet.",
    heroLink: "Zu den Paketen",
    bundles: "Unsere Pakete",
    open: "Dieses Paket füllen",
    fill: "Füllen",
    ownPage: "Dieses Paket auf deiner eigenen Seite",
    from: "Ab {price}",
    back: "Alle Pakete",
    footer: "Dieser Laden zeigt, was bundlesvc kann.",
    docs: "API-Dokumentation",
    country: "Land",
    language: "Sprache",
    elsewhere: "Anderswo",
    noSuchBundle: "Dieses Paket gibt es hier nicht.",
    noSuchBundleText:
      "Vielleicht heißt es jetzt anders oder ist ausverkauft. Was du gerade kaufen kannst, steht auf der Startseite.",
  },
};

/** @type {Readonly<Record<string, string>>} */
let spoken = WORDS.en;

/** Sets the language of the page. A language without texts falls back to English. */
export function speak(/** @type {string} */ locale) {
  spoken = locale.startsWith("de") ? WORDS.de : WORDS.en;
  document.documentElement.lang = locale;
  for (const node of document.querySelectorAll("[data-word]")) {
    node.textContent = spoken[/** @type {HTMLElement} */ (node).dataset.word ?? ""] ?? node.textContent;
  }
}

/**
 * @param {string} key
 * @param {Readonly<Record<string, string | number>>} [places]
 * @returns {string}
 */
export function say(key, places = {}) {
  return (spoken[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => String(places[name] ?? ""));
}
