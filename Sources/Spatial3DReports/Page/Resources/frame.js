"use strict";

const scene = JSON.parse(document.getElementById("scene").textContent);
const part = (id) => document.getElementById(id);

/** A number with a true minus sign, which zero never has. */
const numberText = (value, decimals = 0) => value.toFixed(decimals).replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");

/** Seeks to the moment in the page's own address, such as #t=3, now and when it changes. */
function followAddress(seek) {
  const follow = () => {
    const moment = /^#t=(\d+(?:\.\d+)?)$/.exec(location.hash);
    if (moment) seek(Number(moment[1]));
  };
  addEventListener("hashchange", follow);
  follow();
}
