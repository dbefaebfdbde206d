/** Of this package and of every answer that names one. A test compares it with package.json. */
export const VERSION = "0.1.0";
