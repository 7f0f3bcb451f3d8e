// Made by Scripts/make-presets.

/// The 113 acoustics that Creative Labs published with its Environmental Audio Extensions, in their order.
///
/// The OpenAL counterparts are the presets of `efx-presets.h`.
public enum EFXPreset: String, Hashable, Sendable, CaseIterable, Codable {
  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_GENERIC`).
  case generic

  /// A decay of 0.17 seconds (`EFX_REVERB_PRESET_PADDEDCELL`).
  case paddedCell

  /// A decay of 0.4 seconds (`EFX_REVERB_PRESET_ROOM`).
  case room

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_BATHROOM`).
  case bathroom

  /// A decay of 0.5 seconds (`EFX_REVERB_PRESET_LIVINGROOM`).
  case livingRoom

  /// A decay of 2.31 seconds (`EFX_REVERB_PRESET_STONEROOM`).
  case stoneRoom

  /// A decay of 4.32 seconds (`EFX_REVERB_PRESET_AUDITORIUM`).
  case auditorium

  /// A decay of 3.92 seconds (`EFX_REVERB_PRESET_CONCERTHALL`).
  case concertHall

  /// A decay of 2.91 seconds (`EFX_REVERB_PRESET_CAVE`).
  case cave

  /// A decay of 7.24 seconds (`EFX_REVERB_PRESET_ARENA`).
  case arena

  /// A decay of 10.05 seconds (`EFX_REVERB_PRESET_HANGAR`).
  case hangar

  /// A decay of 0.3 seconds (`EFX_REVERB_PRESET_CARPETEDHALLWAY`).
  case carpetedHallway

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_HALLWAY`).
  case hallway

  /// A decay of 2.7 seconds (`EFX_REVERB_PRESET_STONECORRIDOR`).
  case stoneCorridor

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_ALLEY`).
  case alley

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_FOREST`).
  case forest

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_CITY`).
  case city

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_MOUNTAINS`).
  case mountains

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_QUARRY`).
  case quarry

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_PLAIN`).
  case plain

  /// A decay of 1.65 seconds (`EFX_REVERB_PRESET_PARKINGLOT`).
  case parkingLot

  /// A decay of 2.81 seconds (`EFX_REVERB_PRESET_SEWERPIPE`).
  case sewerPipe

  /// A decay of 1.49 seconds (`EFX_REVERB_PRESET_UNDERWATER`).
  case underwater

  /// A decay of 8.39 seconds (`EFX_REVERB_PRESET_DRUGGED`).
  case drugged

  /// A decay of 17.23 seconds (`EFX_REVERB_PRESET_DIZZY`).
  case dizzy

  /// A decay of 7.56 seconds (`EFX_REVERB_PRESET_PSYCHOTIC`).
  case psychotic

  /// A decay of 1.22 seconds (`EFX_REVERB_PRESET_CASTLE_SMALLROOM`).
  case castleSmallRoom

  /// A decay of 2.32 seconds (`EFX_REVERB_PRESET_CASTLE_SHORTPASSAGE`).
  case castleShortPassage

  /// A decay of 2.04 seconds (`EFX_REVERB_PRESET_CASTLE_MEDIUMROOM`).
  case castleMediumRoom

  /// A decay of 2.53 seconds (`EFX_REVERB_PRESET_CASTLE_LARGEROOM`).
  case castleLargeRoom

  /// A decay of 3.42 seconds (`EFX_REVERB_PRESET_CASTLE_LONGPASSAGE`).
  case castleLongPassage

  /// A decay of 3.14 seconds (`EFX_REVERB_PRESET_CASTLE_HALL`).
  case castleHall

  /// A decay of 0.67 seconds (`EFX_REVERB_PRESET_CASTLE_CUPBOARD`).
  case castleCupboard

  /// A decay of 2.13 seconds (`EFX_REVERB_PRESET_CASTLE_COURTYARD`).
  case castleCourtyard

  /// A decay of 1.64 seconds (`EFX_REVERB_PRESET_CASTLE_ALCOVE`).
  case castleAlcove

  /// A decay of 1.72 seconds (`EFX_REVERB_PRESET_FACTORY_SMALLROOM`).
  case factorySmallRoom

  /// A decay of 2.53 seconds (`EFX_REVERB_PRESET_FACTORY_SHORTPASSAGE`).
  case factoryShortPassage

  /// A decay of 2.76 seconds (`EFX_REVERB_PRESET_FACTORY_MEDIUMROOM`).
  case factoryMediumRoom

  /// A decay of 4.24 seconds (`EFX_REVERB_PRESET_FACTORY_LARGEROOM`).
  case factoryLargeRoom

  /// A decay of 4.06 seconds (`EFX_REVERB_PRESET_FACTORY_LONGPASSAGE`).
  case factoryLongPassage

  /// A decay of 7.43 seconds (`EFX_REVERB_PRESET_FACTORY_HALL`).
  case factoryHall

  /// A decay of 0.49 seconds (`EFX_REVERB_PRESET_FACTORY_CUPBOARD`).
  case factoryCupboard

  /// A decay of 2.32 seconds (`EFX_REVERB_PRESET_FACTORY_COURTYARD`).
  case factoryCourtyard

  /// A decay of 3.14 seconds (`EFX_REVERB_PRESET_FACTORY_ALCOVE`).
  case factoryAlcove

  /// A decay of 1.51 seconds (`EFX_REVERB_PRESET_ICEPALACE_SMALLROOM`).
  case icePalaceSmallRoom

  /// A decay of 1.79 seconds (`EFX_REVERB_PRESET_ICEPALACE_SHORTPASSAGE`).
  case icePalaceShortPassage

  /// A decay of 2.22 seconds (`EFX_REVERB_PRESET_ICEPALACE_MEDIUMROOM`).
  case icePalaceMediumRoom

  /// A decay of 3.14 seconds (`EFX_REVERB_PRESET_ICEPALACE_LARGEROOM`).
  case icePalaceLargeRoom

  /// A decay of 3.01 seconds (`EFX_REVERB_PRESET_ICEPALACE_LONGPASSAGE`).
  case icePalaceLongPassage

  /// A decay of 5.49 seconds (`EFX_REVERB_PRESET_ICEPALACE_HALL`).
  case icePalaceHall

  /// A decay of 0.76 seconds (`EFX_REVERB_PRESET_ICEPALACE_CUPBOARD`).
  case icePalaceCupboard

  /// A decay of 2.04 seconds (`EFX_REVERB_PRESET_ICEPALACE_COURTYARD`).
  case icePalaceCourtyard

  /// A decay of 2.76 seconds (`EFX_REVERB_PRESET_ICEPALACE_ALCOVE`).
  case icePalaceAlcove

  /// A decay of 1.72 seconds (`EFX_REVERB_PRESET_SPACESTATION_SMALLROOM`).
  case spaceStationSmallRoom

  /// A decay of 3.57 seconds (`EFX_REVERB_PRESET_SPACESTATION_SHORTPASSAGE`).
  case spaceStationShortPassage

  /// A decay of 3.01 seconds (`EFX_REVERB_PRESET_SPACESTATION_MEDIUMROOM`).
  case spaceStationMediumRoom

  /// A decay of 3.89 seconds (`EFX_REVERB_PRESET_SPACESTATION_LARGEROOM`).
  case spaceStationLargeRoom

  /// A decay of 4.62 seconds (`EFX_REVERB_PRESET_SPACESTATION_LONGPASSAGE`).
  case spaceStationLongPassage

  /// A decay of 7.11 seconds (`EFX_REVERB_PRESET_SPACESTATION_HALL`).
  case spaceStationHall

  /// A decay of 0.79 seconds (`EFX_REVERB_PRESET_SPACESTATION_CUPBOARD`).
  case spaceStationCupboard

  /// A decay of 1.16 seconds (`EFX_REVERB_PRESET_SPACESTATION_ALCOVE`).
  case spaceStationAlcove

  /// A decay of 0.79 seconds (`EFX_REVERB_PRESET_WOODEN_SMALLROOM`).
  case woodenSmallRoom

  /// A decay of 1.75 seconds (`EFX_REVERB_PRESET_WOODEN_SHORTPASSAGE`).
  case woodenShortPassage

  /// A decay of 1.47 seconds (`EFX_REVERB_PRESET_WOODEN_MEDIUMROOM`).
  case woodenMediumRoom

  /// A decay of 2.65 seconds (`EFX_REVERB_PRESET_WOODEN_LARGEROOM`).
  case woodenLargeRoom

  /// A decay of 1.99 seconds (`EFX_REVERB_PRESET_WOODEN_LONGPASSAGE`).
  case woodenLongPassage

  /// A decay of 3.45 seconds (`EFX_REVERB_PRESET_WOODEN_HALL`).
  case woodenHall

  /// A decay of 0.56 seconds (`EFX_REVERB_PRESET_WOODEN_CUPBOARD`).
  case woodenCupboard

  /// A decay of 1.79 seconds (`EFX_REVERB_PRESET_WOODEN_COURTYARD`).
  case woodenCourtyard

  /// A decay of 1.22 seconds (`EFX_REVERB_PRESET_WOODEN_ALCOVE`).
  case woodenAlcove

  /// A decay of 6.26 seconds (`EFX_REVERB_PRESET_SPORT_EMPTYSTADIUM`).
  case sportEmptyStadium

  /// A decay of 2.22 seconds (`EFX_REVERB_PRESET_SPORT_SQUASHCOURT`).
  case sportSquashCourt

  /// A decay of 2.76 seconds (`EFX_REVERB_PRESET_SPORT_SMALLSWIMMINGPOOL`).
  case sportSmallSwimmingPool

  /// A decay of 5.49 seconds (`EFX_REVERB_PRESET_SPORT_LARGESWIMMINGPOOL`).
  case sportLargeSwimmingPool

  /// A decay of 3.14 seconds (`EFX_REVERB_PRESET_SPORT_GYMNASIUM`).
  case sportGymnasium

  /// A decay of 5.25 seconds (`EFX_REVERB_PRESET_SPORT_FULLSTADIUM`).
  case sportFullStadium

  /// A decay of 2.53 seconds (`EFX_REVERB_PRESET_SPORT_STADIUMTANNOY`).
  case sportStadiumTannoy

  /// A decay of 0.76 seconds (`EFX_REVERB_PRESET_PREFAB_WORKSHOP`).
  case prefabWorkshop

  /// A decay of 0.98 seconds (`EFX_REVERB_PRESET_PREFAB_SCHOOLROOM`).
  case prefabSchoolRoom

  /// A decay of 1.12 seconds (`EFX_REVERB_PRESET_PREFAB_PRACTISEROOM`).
  case prefabPractiseRoom

  /// A decay of 1.38 seconds (`EFX_REVERB_PRESET_PREFAB_OUTHOUSE`).
  case prefabOuthouse

  /// A decay of 0.43 seconds (`EFX_REVERB_PRESET_PREFAB_CARAVAN`).
  case prefabCaravan

  /// A decay of 4.18 seconds (`EFX_REVERB_PRESET_DOME_TOMB`).
  case domeTomb

  /// A decay of 5.04 seconds (`EFX_REVERB_PRESET_PIPE_SMALL`).
  case pipeSmall

  /// A decay of 10.48 seconds (`EFX_REVERB_PRESET_DOME_SAINTPAULS`).
  case domeSaintPauls

  /// A decay of 9.21 seconds (`EFX_REVERB_PRESET_PIPE_LONGTHIN`).
  case pipeLongThin

  /// A decay of 8.45 seconds (`EFX_REVERB_PRESET_PIPE_LARGE`).
  case pipeLarge

  /// A decay of 6.81 seconds (`EFX_REVERB_PRESET_PIPE_RESONANT`).
  case pipeResonant

  /// A decay of 1.12 seconds (`EFX_REVERB_PRESET_OUTDOORS_BACKYARD`).
  case outdoorsBackyard

  /// A decay of 2.13 seconds (`EFX_REVERB_PRESET_OUTDOORS_ROLLINGPLAINS`).
  case outdoorsRollingPlains

  /// A decay of 3.89 seconds (`EFX_REVERB_PRESET_OUTDOORS_DEEPCANYON`).
  case outdoorsDeepCanyon

  /// A decay of 2.13 seconds (`EFX_REVERB_PRESET_OUTDOORS_CREEK`).
  case outdoorsCreek

  /// A decay of 2.88 seconds (`EFX_REVERB_PRESET_OUTDOORS_VALLEY`).
  case outdoorsValley

  /// A decay of 5.04 seconds (`EFX_REVERB_PRESET_MOOD_HEAVEN`).
  case moodHeaven

  /// A decay of 3.57 seconds (`EFX_REVERB_PRESET_MOOD_HELL`).
  case moodHell

  /// A decay of 4.06 seconds (`EFX_REVERB_PRESET_MOOD_MEMORY`).
  case moodMemory

  /// A decay of 2.42 seconds (`EFX_REVERB_PRESET_DRIVING_COMMENTATOR`).
  case drivingCommentator

  /// A decay of 1.72 seconds (`EFX_REVERB_PRESET_DRIVING_PITGARAGE`).
  case drivingPitGarage

  /// A decay of 0.17 seconds (`EFX_REVERB_PRESET_DRIVING_INCAR_RACER`).
  case drivingInCarRacer

  /// A decay of 0.17 seconds (`EFX_REVERB_PRESET_DRIVING_INCAR_SPORTS`).
  case drivingInCarSports

  /// A decay of 0.13 seconds (`EFX_REVERB_PRESET_DRIVING_INCAR_LUXURY`).
  case drivingInCarLuxury

  /// A decay of 3.01 seconds (`EFX_REVERB_PRESET_DRIVING_FULLGRANDSTAND`).
  case drivingFullGrandstand

  /// A decay of 4.62 seconds (`EFX_REVERB_PRESET_DRIVING_EMPTYGRANDSTAND`).
  case drivingEmptyGrandstand

  /// A decay of 3.42 seconds (`EFX_REVERB_PRESET_DRIVING_TUNNEL`).
  case drivingTunnel

  /// A decay of 1.79 seconds (`EFX_REVERB_PRESET_CITY_STREETS`).
  case cityStreets

  /// A decay of 3.01 seconds (`EFX_REVERB_PRESET_CITY_SUBWAY`).
  case citySubway

  /// A decay of 3.28 seconds (`EFX_REVERB_PRESET_CITY_MUSEUM`).
  case cityMuseum

  /// A decay of 2.76 seconds (`EFX_REVERB_PRESET_CITY_LIBRARY`).
  case cityLibrary

  /// A decay of 3.57 seconds (`EFX_REVERB_PRESET_CITY_UNDERPASS`).
  case cityUnderpass

  /// A decay of 3.28 seconds (`EFX_REVERB_PRESET_CITY_ABANDONED`).
  case cityAbandoned

  /// A decay of 1.79 seconds (`EFX_REVERB_PRESET_DUSTYROOM`).
  case dustyRoom

  /// A decay of 4.62 seconds (`EFX_REVERB_PRESET_CHAPEL`).
  case chapel

  /// A decay of 1.51 seconds (`EFX_REVERB_PRESET_SMALLWATERROOM`).
  case smallWaterRoom
}
