"use strict";

const scene = JSON.parse(document.getElementById("scene").textContent);
const part = (id) => document.getElementById(id);

/** A number with a true minus sign, which zero never has. */
const numberText = (value, decimals = 0) => value.toFixed(decimals).replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");
