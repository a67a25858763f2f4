-- No page shows photos of the day any more (decision 0098). The release before still reads the table, so a later migration drops it.
DELETE FROM "day_photos";
